export { buildTextGuard, type TextGuard, WITHHELD } from './build-text-guard.ts'
export { findLeaks } from './find-leaks.ts'
export type { FindLeaksInput, Leak, LeakKind, LeakSource } from './leak.ts'
