import { defineConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/** The campaigns that are written as tests, and the tests of the campaigns' own code. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['qa/**/*.test.ts', 'apps/dashboard/src/browser-tests/*.test.ts'],
    exclude: ['**/node_modules/**'],
  },
})
