import type { Env } from '@corrigenda/core/runtime'

/** The environment of this process: read here and nowhere else in the command line. */
export const processEnv = (): Env => process.env

/** Folder that holds everything the embedded mode keeps: below the current directory. */
export const STATE_FOLDER = '.corrigenda'
