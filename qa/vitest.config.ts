import { defineConfig } from 'vitest/config'
import base, { SMOKE } from '../vitest.config.ts'

/** What the short form leaves out: faults that take minutes each, and browser tests of `pnpm test`. */
const LONG = [
  'qa/faults/slow.test.ts',
  'qa/faults/waits.test.ts',
  `apps/dashboard/src/browser-tests/{${SMOKE.join(',')}}.test.ts`,
]

/** The campaigns that are written as tests, and the tests of the campaigns' own code. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['qa/**/*.test.ts', 'apps/dashboard/src/browser-tests/*.test.ts'],
    exclude: ['**/node_modules/**', ...(process.env.QA_SHORT ? LONG : [])],
  },
})
