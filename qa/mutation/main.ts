import { readFileSync } from 'node:fs'
import os from 'node:os'
import { Stryker } from '@stryker-mutator/core'
import { parse } from 'yaml'

interface Target {
  /** Relative to the repository root, like the tests. */
  readonly file: string
  readonly tests: readonly string[]
  /** Minimum share of mutants that the tests must kill, in percent. */
  readonly score: number
}

/**
 * Mutates one file after the other in a copy of the repository, and runs its tests. Stryker prints the
 * surviving mutants. The exit code is 1 if a file scores below its minimum.
 */
const targets: Target[] = parse(readFileSync('qa/mutation/targets.yaml', 'utf8'))
const wanted = process.argv.slice(2)
const chosen = wanted.length === 0 ? targets : targets.filter(({ file }) => wanted.includes(file))
if (chosen.length < wanted.length) {
  console.error(`Usage: pnpm qa mutation [FILE…]\n\n${targets.map(({ file }) => `  ${file}`).join('\n')}`)
  process.exit(2)
}
for (const target of chosen) if (!(await measure(target))) process.exitCode = 1

/** Prints the score, and returns true if it is high enough. */
async function measure({ file, tests, score: minimum }: Target): Promise<boolean> {
  // Read by qa/mutation/vitest.config.mjs in the processes of the test runner.
  process.env.MUTATION_TESTS = tests.join(',')
  const startedAt = performance.now()
  const results = await new Stryker({
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
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    disableTypeChecks: false,
    // Stryker would rewrite this file through the TypeScript API, which TypeScript 7 does not have.
    tsconfigFile: 'none.json',
  }).runMutationTest()
  const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length
  const timedOut = count('Timeout')
  const killed = count('Killed') + timedOut
  const survived = count('Survived', 'NoCoverage')
  // Without mutants, the score is 0.
  const score = killed + survived === 0 ? 0 : (100 * killed) / (killed + survived)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(
    `${score >= minimum ? 'ok    ' : 'FAILED'} ${file}: ${killed} killed (${timedOut} by timeout), ${survived} survived, ` +
      `score ${score.toFixed(1)}% (minimum ${minimum}%), ${seconds} s`,
  )
  return score >= minimum
}
