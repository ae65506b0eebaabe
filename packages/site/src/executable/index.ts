export { findNewCode, type NewCode } from './find-new-code.ts'
