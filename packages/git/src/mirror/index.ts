export type { HttpPolicy } from './mirror-options.ts'
export { serveFetch } from './serve-fetch.ts'
