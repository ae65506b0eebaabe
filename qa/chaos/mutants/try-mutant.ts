import { withMutant } from './apply-mutant.ts'
import type { Mutant, Verdict } from './mutant.ts'
import { runTests, type TestReport, type TestRun } from './run-tests.ts'

/** As vitest words it; the second is the head of the stack of the same error. */
const TIMED_OUT = /^(?:Error: )?(?:(?:Test|Hook) timed out in |STACK_TRACE_ERROR)/

/** Runs the tests of one mutant in a copy of the tree that nobody else uses. */
export async function tryMutant(
  copy: Pick<TestRun, 'root' | 'env' | 'signal'>,
  mutant: Mutant,
): Promise<{ verdict: Verdict; seconds: number }> {
  const { tests, only } = mutant
  const report = await withMutant(copy.root, mutant, () =>
    runTests({ ...copy, tests, only, workers: 1, stopAtFailure: true }),
  )
  return { verdict: toVerdict(report), seconds: report.seconds }
}

/**
 * Only a test that ran and failed has noticed: a file that cannot be loaded says nothing about the guard, and neither does a test that ran out of
 * time, as on a slow machine.
 */
export function toVerdict(report: TestReport): Verdict {
  const noticed = report.failed.find(({ why }) => !TIMED_OUT.test(why))
  if (noticed) return { kind: 'caught', by: noticed.name }
  const [late] = report.failed
  if (late) return { kind: 'broken', why: `${late.name} ran out of time` }
  if (report.fault !== null) return { kind: 'broken', why: report.fault }
  return report.passed > 0 ? { kind: 'survived' } : { kind: 'broken', why: 'no test ran' }
}
