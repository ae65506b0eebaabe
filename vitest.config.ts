import { defineConfig, type Plugin } from 'vitest/config'
import SlowFilesFirst from './scripts/slow-files-first.ts'

const source = ['corrigenda-source']

/**
 * Loads packages as in production. The development builds of some parsers contain assertions that
 * make tests that parse Markdown three times slower.
 */
const productionBuilds: Plugin = {
  name: 'production-builds',
  configResolved(config) {
    const conditions = [...source, 'node', 'production']
    for (const resolve of [config.ssr.resolve, ...Object.values(config.environments).map((one) => one.resolve)]) {
      if (resolve) Object.assign(resolve, { conditions, externalConditions: conditions })
    }
  },
}

/** The browser tests that are part of `pnpm test`. `pnpm qa browser` runs all of them. */
export const SMOKE = ['keys']

/** Tests of several whole demos, which are part of `pnpm qa short` instead of `pnpm test`. */
export const DEMOS = 'apps/cli/src/quickstart/{own-repository,second-terminal}.test.ts'

/** Jobs of whole workers that only `pnpm qa e2e` runs, because each of them takes seconds. */
export const LONG_JOBS = 'apps/worker/src/e2e/co-authors.test.ts'

export default defineConfig({
  plugins: [productionBuilds],
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: {
    include: ['apps/*/src/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', DEMOS, LONG_JOBS, `apps/dashboard/src/browser-tests/!(${SMOKE.join('|')}).test.ts`],
    globalSetup: ['scripts/test-servers.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
    pool: 'forks',
    // Each process runs many files and keeps modules loaded, because loading them for each file
    // took a quarter of the time. Test modules must therefore not register hooks on import, only
    // when called.
    isolate: false,
    // Fewer collections of short-lived objects reduce the CPU time by about 6 %.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: SlowFilesFirst, seed: Date.now() },
    // A test uses half a core on average, because it waits for servers and other processes.
    maxWorkers: 5,
    // These limits catch hangs. They are high enough that tests do not fail just because the
    // machine is busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000, interval: 20 } },
  },
})
