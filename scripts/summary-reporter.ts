import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Prints two lines for CI at the end of a test run: the number of tests that passed on each queue
 * backend, and the counts of all tests. Appends the counts to the file in TEST_COUNTS, so that CI
 * can add up several test runs.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    // An error outside of a test fails the run, so it counts as failed.
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, redis: 0, postgres: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state] += 1
        if (state === 'passed' && /\bon redis\b/.test(test.fullName)) counts.redis += 1
        if (state === 'passed' && /\bon postgres\b/.test(test.fullName)) counts.postgres += 1
      }
      // A file that could not be loaded has no tests, but counts as failed.
      if (module.errors().length > 0) counts.failed += 1
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    console.log(`Queue backends: ${counts.redis} tests passed on Redis, ${counts.postgres} tests passed on Postgres.`)
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
    const file = process.env.TEST_COUNTS
    if (file) appendFileSync(file, `${counts.passed} ${counts.failed}\n`)
  }
}
