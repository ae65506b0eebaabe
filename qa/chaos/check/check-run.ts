import type { AcceptedJob } from '../client/submit-job.ts'
import type { Stack } from '../stack/open-stack.ts'
import { checkAnswers, checkCancels, checkProcesses } from './check-answers.ts'
import { checkCommits } from './check-commits.ts'
import { checkHost } from './check-host.ts'
import { checkJobs, checkTransitions } from './check-jobs.ts'
import { checkModel } from './check-model.ts'
import { countInterruptedTurns } from './count-interrupted-turns.ts'
import { readTables, type Tables } from './read-tables.ts'

interface RunCheck {
  readonly violations: string[]
  readonly tables: Tables
  /** Model turns requested again because of a kill -9, as a share of all stored turns. */
  readonly killedShare: number
  readonly figures: Readonly<Record<string, string | number>>
}

/**
 * Checks all invariants that must hold regardless of the injected faults. Call it after the
 * services have stopped, so that no writes follow.
 */
export async function checkRun(stack: Stack, jobs: readonly AcceptedJob[]): Promise<RunCheck> {
  const { history, host, bases } = stack
  const tables = await readTables(stack.database)
  const onHost = await checkHost({ host, bases, tables, jobs })
  const model = checkModel(stack.model, tables, jobs, countInterruptedTurns(history))
  const count = (outcome: string) => tables.jobs.filter((row) => row.outcome === outcome).length
  const toShare = (turns: number) => turns / Math.max(1, model.needed)
  const toText = (turns: number) => `${turns} (${(100 * toShare(turns)).toFixed(1)}%)`
  return {
    tables,
    killedShare: toShare(model.repeatedByKills),
    violations: [
      ...checkJobs(tables, jobs),
      ...checkTransitions(history),
      ...onHost.violations,
      ...(await checkCommits(stack, jobs)),
      ...model.violations,
      ...checkCancels(history, tables, jobs),
      ...checkAnswers(history),
      ...checkProcesses(history),
    ],
    figures: {
      jobs: jobs.length,
      completed: tables.jobs.filter((row) => row.status === 'completed').length,
      cancelled: count('cancelled'),
      failed: count('failed'),
      'pull requests': onHost.pullRequests,
      'branches without a pull request': onHost.strayBranches,
      'model turns': model.needed,
      'repeated turns': toText(model.repeated),
      'repeated because of a kill': toText(model.repeatedByKills),
      'most claims per job': Math.max(0, ...tables.runs.map((run) => run.attempt)),
    },
  }
}
