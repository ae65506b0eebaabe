import type { ChecksState } from '../git-host.ts'

/** Null stands for a check that has no result, such as a skipped one. */
export function combineChecks(states: readonly (ChecksState | null)[]): ChecksState | null {
  if (states.includes('failed')) return 'failed'
  if (states.includes('pending')) return 'pending'
  return states.includes('passed') ? 'passed' : null
}
