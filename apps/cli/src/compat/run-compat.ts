import { COMPAT_CHECKS, type CompatInput, Skipped } from './checks.ts'

export interface CompatResult {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What does not fit, or why it was not checked; null when it passed. */
  readonly reason: string | null
}

/**
 * Holds any server to the hosted API's public contract, over HTTP alone. Creates jobs. What goes wrong is a result, never an exception.
 * @param report told about each check when it has ended
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
