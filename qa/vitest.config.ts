import { defineConfig } from 'vitest/config'
import base, { DEMOS, LONG_JOBS } from '../vitest.config.ts'

/**
 * Tests that the short form skips: faults that take minutes each, multi-process services (also
 * covered by the short form of `chaos`). `pnpm qa e2e` and `faults` run them.
 */
const LONG = [
  LONG_JOBS,
  'apps/cli/src/quickstart/own-repository.test.ts',
  'qa/answers/*.test.ts',
  'qa/backup/*.test.ts',
  'qa/upgrade/*.test.ts',
  'qa/faults/{slow,waits}.test.ts',
  'qa/e2e/{follow-up-attacks,hostile-text,proxies,recovery,repository-policy,secret-rotation,services}.test.ts',
  'qa/metrics/*.test.ts',
  'qa/hostile/hostile-sources.test.ts',
  'qa/tenants/*.test.ts',
  'qa/topologies/*.test.ts',
  'qa/zombies/follow-up-successor.test.ts',
]

/** The screens that the short form opens. `pnpm qa browser` opens all of them. */
const SHORT_SCREENS = ['job', 'xss']
const SCREENS = process.env.QA_SHORT ? `{${SHORT_SCREENS.join(',')}}` : '*'

/** Campaigns written as tests, and tests of the campaign code. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['qa/**/*.test.ts', DEMOS, LONG_JOBS, `apps/dashboard/src/browser-tests/${SCREENS}.test.ts`],
    exclude: ['**/node_modules/**', ...(process.env.QA_SHORT ? LONG : [])],
  },
})
