export { findConfigViolation } from './find-config-violation.ts'
