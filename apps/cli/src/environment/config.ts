import type { Env } from '@corrigenda/core/runtime'

/** Returns this process's environment. The CLI reads it only here. */
export const processEnv = (): Env => process.env

/** Folder in the current directory that contains all embedded-mode state. */
export const STATE_FOLDER = '.corrigenda'
