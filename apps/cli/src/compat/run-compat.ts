import { COMPAT_CHECKS } from './checks.ts'
import { type CompatInput, Skipped } from './compat-check.ts'

export interface CompatResult {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The deviation, or the reason for skipping the check; null if it passed. */
  readonly reason: string | null
}

/**
 * Checks any server against the hosted API's public contract, over HTTP only. Creates jobs.
 * Failures are returned as results and never thrown.
 * @param report called after each check
 */
export async function runCompat(
  input: CompatInput,
  report: (result: CompatResult) => void = () => {},
): Promise<CompatResult[]> {
  const results: CompatResult[] = []
  for (const { name, run } of COMPAT_CHECKS) {
    const result: CompatResult = await run(input).then(
      () => ({ name, state: 'passed', reason: null }),
      (error: unknown) => ({ name, state: error instanceof Skipped ? 'skipped' : 'failed', reason: toReason(error) }),
    )
    results.push(result)
    report(result)
  }
  return results
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
