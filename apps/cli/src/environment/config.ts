import type { Env } from '@corrigenda/core/runtime'

/** Returns the environment of this process. The command line reads it only here. */
export const processEnv = (): Env => process.env

/** Folder with all state of the embedded mode, below the current directory. */
export const STATE_FOLDER = '.corrigenda'
