import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/** The campaigns that are written as tests, and the tests of the campaigns' own code. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['qa/**/*.test.ts'] } }),
)
