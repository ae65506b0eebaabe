import { defineConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/**
 * Tests that the short form skips: faults that take minutes each, multi-process services (also
 * covered by the short form of `chaos`), and most screens. `pnpm qa e2e`, `faults` and `browser`
 * run them.
 */
const LONG = [
  'qa/answers/*.test.ts',
  'qa/backup/*.test.ts',
  'qa/upgrade/*.test.ts',
  'qa/faults/{slow,waits}.test.ts',
  'qa/e2e/{follow-up-attacks,recovery,repository-policy,secret-rotation,services}.test.ts',
  'qa/metrics/*.test.ts',
  'qa/hostile/hostile-sources.test.ts',
  'qa/tenants/*.test.ts',
  'qa/zombies/follow-up-successor.test.ts',
  'apps/dashboard/src/browser-tests/!(job|sign-in|xss).test.ts',
  // The pattern above excludes no names that start with those in the parentheses.
  'apps/dashboard/src/browser-tests/jobs-list-actions.test.ts',
]

/** Campaigns written as tests, and tests of the campaign code. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['qa/**/*.test.ts', 'apps/dashboard/src/browser-tests/*.test.ts'],
    exclude: ['**/node_modules/**', ...(process.env.QA_SHORT ? LONG : [])],
  },
})
