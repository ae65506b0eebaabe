import 'vitest'

declare module 'vitest' {
  /** What scripts/test-servers.ts hands to every test. */
  export interface ProvidedContext {
    postgresUrl: string
    redisUrl: string
  }
}
