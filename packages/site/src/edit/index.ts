export { findConfigViolation } from './find-config-violation.ts'
export type { StringTest } from './restore-strings.ts'
