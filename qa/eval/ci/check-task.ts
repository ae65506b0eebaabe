import { type Checker, DEFAULT_BUDGETS } from '@corrigenda/worker/parts'
import { applySteps } from '../gold/apply-steps.ts'
import { buildReads } from '../gold/build-reads.ts'
import { buildReplay } from '../gold/build-replay.ts'
import { gradeAttempt } from '../grade/grade-attempt.ts'
import type { Repositories } from '../run/open-repositories.ts'
import { type AttemptReport, readBaseTree, runAttempt } from '../run/run-attempt.ts'
import { readSourceTrees } from '../task/read-source-trees.ts'
import type { Solution, Task } from '../task/task.ts'
import type { ReplayModel } from './replay-model.ts'

export interface CheckDeps {
  readonly repositories: Repositories
  readonly model: ReplayModel
  readonly checker: Checker
}

/** The result of one replay of a task. */
export interface Replay {
  readonly task: string
  /** `gold`, `opposite`, or the name of the mistake. */
  readonly what: string
  readonly shouldPass: boolean
  readonly passed: boolean
  /** The reasons given by the failed graders. */
  readonly misses: readonly string[]
  /** True if the product rejected one of the replay's calls or stopped the replay. */
  readonly refused: boolean
}

/**
 * Returns the solutions to replay for a task. The gold solution must pass. The opposite solution
 * and all spoiled solutions must fail.
 */
export function listSolutions(task: Task): { what: string; shouldPass: boolean; solution: Solution }[] {
  return [
    { what: 'gold', shouldPass: true, solution: task.gold },
    { what: 'opposite', shouldPass: false, solution: task.opposite },
    ...task.spoiled.map((solution) => ({ what: `spoiled: ${solution.how}`, shouldPass: false, solution })),
  ]
}

/** Replays one solution through the real loop and grades the result. */
export async function checkSolution(
  deps: CheckDeps,
  task: Task,
  { what, shouldPass, solution }: ReturnType<typeof listSolutions>[number],
  signal: AbortSignal,
): Promise<Replay> {
  const base = await readBaseTree(deps.repositories, task)
  const wanted = applySteps(base, solution.steps)
  const model = deps.model.add([...buildReads(task, solution), ...buildReplay(base, wanted, solution.ending)])
  const { repositories, checker } = deps
  const { callModel } = deps.model
  const report: AttemptReport = await runAttempt(
    { repositories, callModel, checker, prices: {}, budgets: DEFAULT_BUDGETS },
    { task, model },
    signal,
  )
  const gold = applySteps(base, task.gold.steps)
  const context = { base: report.base, gold, sources: readSourceTrees(task) }
  const misses = gradeAttempt(task.graders, report.attempt, context).map(({ why }) => why)
  const refused = report.refusedCalls.length > 0 || report.attempt.outcome === 'stopped'
  // A gold solution that the product partly rejects could still pass by chance.
  if (shouldPass) misses.push(...report.refusedCalls.map((call) => `The product rejected a call: ${call}.`))
  return { task: task.id, what, shouldPass, passed: misses.length === 0, misses, refused }
}
