import type { Mutant } from './mutant.ts'
import { runTests, type TestRun } from './run-tests.ts'

/**
 * Runs every test that a mutant names with all guards on: a test that fails anyway would catch everything.
 * @throws Error with the tests that failed
 */
export async function checkBaseline(
  copy: Pick<TestRun, 'root' | 'env' | 'signal'>,
  mutants: readonly Mutant[],
  workers: number,
): Promise<{ passed: number; seconds: number }> {
  let [passed, seconds] = [0, 0]
  for (const { tests, only } of toRuns(mutants)) {
    const report = await runTests({ ...copy, tests, only, workers, stopAtFailure: false })
    const faults = [
      ...report.failed.map(({ name, why }) => `${name} (${why})`),
      ...(report.fault === null ? [] : [report.fault]),
    ]
    if (faults.length > 0) {
      throw new Error(`Tests fail with all guards on, so they prove nothing:\n${faults.join('\n')}`)
    }
    passed += report.passed
    seconds += report.seconds
  }
  return { passed, seconds }
}

/** Files that are needed whole, and of the others the named tests. */
function toRuns(mutants: readonly Mutant[]): { tests: string[]; only?: string }[] {
  const whole = new Set(mutants.filter((mutant) => mutant.only === undefined).flatMap((mutant) => mutant.tests))
  const parts = mutants.filter((mutant) => mutant.only !== undefined && !mutant.tests.every((file) => whole.has(file)))
  const only = [...new Set(parts.map((mutant) => `(?:${mutant.only})`))].join('|')
  const runs = [
    { tests: [...whole] },
    { tests: [...new Set(parts.flatMap((mutant) => mutant.tests))].filter((file) => !whole.has(file)), only },
  ]
  return runs.filter((run) => run.tests.length > 0)
}
