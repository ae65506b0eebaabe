export { findFreePort } from './find-free-port.ts'
export { findRunningPostgres } from './find-running-postgres.ts'
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './start-postgres.ts'
export { startPostgres } from './start-postgres.ts'
