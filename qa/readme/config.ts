import type { Env } from './shell.ts'

/** Environment that the commands of the README start with. */
export const readmeEnv = (): Env => process.env
