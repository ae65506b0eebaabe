import { defineConfig } from 'vitest/config'

const source = ['corrigenda-source']

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: {
    include: ['apps/*/src/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['scripts/test-servers.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
    pool: 'forks',
    // One process takes many files and keeps its modules: loading them anew for each was a quarter of all the work. Modules for tests
    // therefore register no hooks when they are loaded, only when they are called.
    isolate: false,
    // One more than the cores that it must do with: several suites wait most of the time, and more make each other late.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
