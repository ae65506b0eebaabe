export { buildChecker, type Checker } from './build-checker.ts'
export type { CheckDocs } from './check-docs.ts'

export { formatBlocking, formatChecks, formatGrave, formatIntroduced, formatNotes } from './format-checks.ts'
export { matchRenames } from './match-renames.ts'
