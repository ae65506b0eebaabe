import type { Env } from './shell.ts'

/** The environment for the README commands. */
export const readmeEnv = (): Env => process.env
