import os from 'node:os'
import { Stryker } from '@stryker-mutator/core'
import { setTests } from './config.ts'
import type { Target } from './targets.ts'

const SANDBOXES = '.stryker-tmp'

/**
 * Mutates each file in a copy of the repository and runs its tests. Stryker prints the surviving
 * mutants.
 * @returns the exit code: 1 if a file scores below its minimum
 */
export async function runMutation(targets: readonly Target[], print: (line: string) => void): Promise<number> {
  const lines: string[] = []
  let exitCode = 0
  for (const { file, tests, score: required } of targets) {
    setTests(tests)
    const startedAt = performance.now()
    const results = await new Stryker(toOptions(file)).runMutationTest()
    const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length
    const timedOut = count('Timeout')
    const killed = count('Killed') + timedOut
    const survived = count('Survived', 'NoCoverage')
    // Without mutants, the score is 0.
    const score = killed + survived === 0 ? 0 : (100 * killed) / (killed + survived)
    const isEnough = score >= required
    if (!isEnough) exitCode = 1
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    lines.push(
      `${isEnough ? 'ok    ' : 'FAILED'} ${file}: ${killed} killed (${timedOut} by timeout), ${survived} survived, ` +
        `score ${score.toFixed(1)}% (minimum ${required}%), ${seconds} s`,
    )
  }
  for (const line of lines) print(line)
  return exitCode
}

function toOptions(file: string) {
  return {
    mutate: [file],
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    vitest: { configFile: 'qa/mutation/vitest.config.mjs', related: false },
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    allowConsoleColors: false,
    warnings: false,
    // Each test runner starts a separate Postgres and Redis.
    concurrency: Math.max(1, Math.floor(os.availableParallelism() / 2)),
    ignorePatterns: ['dist', '/docs', '.corrigenda', '.turbo'],
    tempDirName: SANDBOXES,
    cleanTempDir: 'always' as const,
    disableTypeChecks: false,
    // Stryker would rewrite this file through the TypeScript API, which TypeScript 7 does not have.
    tsconfigFile: 'none.json',
  }
}
