import type { Env } from '@corrigenda/core'

/** The environment of this process. */
export const processEnv = (): Env => process.env
