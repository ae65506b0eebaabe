export type { HttpPolicy } from './mirror-options.ts'
