import type { Env } from '@corrigenda/core/runtime'

/** The environment of this process. */
export const processEnv = (): Env => process.env
