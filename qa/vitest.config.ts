import { defineConfig } from 'vitest/config'
import base, { DEMOS, LONG_JOBS } from '../vitest.config.ts'

/**
 * Tests that the short form leaves out. It runs kills at every point of a run and random faults
 * (`chaos`), suspended workers, clients and services end to end, and samples of `faults`, `hostile`,
 * `injection` and `eval`. What takes minutes, measures CPU time or downloads a corpus is left out, and
 * so are services of several processes, which `chaos` covers.
 */
const LONG = [
  LONG_JOBS,
  'apps/cli/src/quickstart/own-repository.test.ts',
  'qa/answers/*.test.ts',
  'qa/backup/*.test.ts',
  'qa/upgrade/*.test.ts',
  'qa/faults/{slow,waits}.test.ts',
  'qa/e2e/{follow-up-attacks,fresh-reads,hostile-text,mirror-processes,proxies,recovery}.test.ts',
  'qa/e2e/{repository-policy,secret-rotation,services,traces}.test.ts',
  'qa/metrics/*.test.ts',
  'qa/hostile/hostile-sources.test.ts',
  'qa/{injection,leaks}/superlinear.test.ts',
  'qa/leaks/corpus.test.ts',
  'qa/sites/small-sites.test.ts',
  'qa/topologies/*.test.ts',
  'qa/zombies/{follow-up-successor,successor}.test.ts',
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
