import { defineConfig, type Plugin } from 'vitest/config'

const source = ['corrigenda-source']

/**
 * Loads packages as production does. The development builds of some parsers check themselves, which
 * makes tests that parse Markdown three times slower.
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

/** The browser tests that are part of `pnpm test`; `pnpm qa browser` runs them all. */
export const SMOKE = ['keys']

export default defineConfig({
  plugins: [productionBuilds],
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: {
    include: ['apps/*/src/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', `apps/dashboard/src/browser-tests/!(${SMOKE.join('|')}).test.ts`],
    globalSetup: ['scripts/test-servers.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
    pool: 'forks',
    // One process takes many files and keeps its modules: loading them for each file took a quarter of
    // the time. Modules for tests therefore register no hooks when they are loaded, only when called.
    isolate: false,
    // Files share a process, so their order is random: a file that depends on another one fails soon.
    sequence: { shuffle: { files: true, tests: false } },
    // One more than the cores it has to do with: several suites wait most of the time.
    maxWorkers: 3,
    // These limits catch hangs. A busy machine must not reach them: a test that fails for its pace
    // says nothing about the code.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
  },
})
