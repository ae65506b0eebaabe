import 'vitest'

declare module 'vitest' {
  /** Values that scripts/test-servers.ts provides to every test. */
  export interface ProvidedContext {
    postgresUrl: string
    redisUrl: string
  }
}
