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
    // Twice the cores that it must do with: several suites wait most of the time.
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
