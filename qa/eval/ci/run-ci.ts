import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildModelScript, type MessagesApi, startMessagesApi } from '@corrigenda/testkit'
import { buildCallModel, buildChecker, type Checker, DEFAULT_BUDGETS } from '@corrigenda/worker/parts'
import { gradeAttempt } from '../grade/graders.ts'
import { openRepositories, type Repositories, type RepositoriesOptions } from '../run/open-repositories.ts'
import { readBaseTree, runAttempt } from '../run/run-attempt.ts'
import type { Solution, Task } from '../task/read-tasks.ts'
import { applySteps } from '../task/steps.ts'
import { buildReplay, type ToolCall } from './build-replay.ts'

interface CiOptions {
  readonly tasks: readonly Task[]
  /** Selects a task's answers. Default: all. */
  readonly wants?: (solution: Solution) => boolean
  /** Folder for fetched repositories. Default: a temporary folder. */
  readonly cacheDir: string | null
  readonly coldBuild: RepositoriesOptions['coldBuild']
  readonly credential: RepositoriesOptions['credential']
}

/** The result of one replay of a task. */
interface Replay {
  readonly task: string
  /** `gold` or the mistake. */
  readonly how: string
  readonly passed: boolean
  /** The reasons given by the failed graders. */
  readonly misses: readonly string[]
  /** True if the product rejected one of the replay's calls or stopped the replay. */
  readonly refused: boolean
}

/** Number of concurrent replays. More would not be faster, because reads wait for git. */
const AT_A_TIME = 3

/**
 * Replays the answers of tasks through the product's loop, tools, checks and policy, with real
 * repositories and a strict Messages API on loopback. Every correct answer must pass and every wrong
 * answer must fail. Each problem is one sentence.
 */
export async function runCi(
  { tasks, wants = () => true, cacheDir, coldBuild, credential }: CiOptions,
  signal: AbortSignal,
): Promise<{ replays: readonly Replay[]; problems: readonly string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'corrigenda-eval-'))
  try {
    await using repositories = await openRepositories({
      root,
      cacheDir: cacheDir ?? join(root, 'fetched'),
      coldBuild,
      credential,
    })
    await using model = await openReplayModel()
    const deps = { repositories, model, checker: buildChecker() }
    const chosen = tasks.flatMap((task) =>
      [task.gold, ...task.wrong].filter(wants).map((solution) => ({ task, solution })),
    )
    const replays: Replay[] = []
    const queue = [...chosen.entries()]
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        signal.throwIfAborted()
        const [position, { task, solution }] = next
        replays[position] = await replay(deps, task, solution, signal)
      }
    }
    // Waits for all workers before their resources are closed.
    const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    const problems = replays.flatMap(({ task, how, passed, misses }) => {
      if (how === 'gold') return passed ? [] : [`${task}: the correct answer fails. ${misses.join(' ')}`]
      return passed ? [`${task}: "${how}" passes but is wrong.`] : []
    })
    return { replays, problems: [...problems, ...model.faults()] }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Formats the replays and the problems for a terminal. */
export function formatCi(
  tasks: readonly Task[],
  { replays, problems }: Awaited<ReturnType<typeof runCi>>,
  seconds: number,
): string {
  const families = [...new Set(tasks.map(({ family }) => family))]
  const golds = replays.filter(({ how }) => how === 'gold')
  const wrong = replays.filter(({ how }) => how !== 'gold')
  const refused = wrong.filter((one) => one.refused).length
  return [
    ...families.map((name) => `${name.padEnd(18)} ${tasks.filter(({ family }) => family === name).length} tasks`),
    '',
    `${tasks.length} tasks, ${replays.length} replays in ${seconds.toFixed(0)} s.`,
    `Correct answers that passed: ${golds.filter(({ passed }) => passed).length} of ${golds.length}.`,
    `Wrong answers that failed: ${wrong.filter(({ passed }) => !passed).length} of ${wrong.length} (the product itself rejected ${refused}).`,
    ...problems.map((problem) => `! ${problem}`),
  ].join('\n')
}

/** Replays one answer through the real loop and grades the result. */
async function replay(
  { repositories, model, checker }: { repositories: Repositories; model: ReplayModel; checker: Checker },
  task: Task,
  solution: Solution,
  signal: AbortSignal,
): Promise<Replay> {
  const base = await readBaseTree(repositories, task)
  const id = model.add(buildReplay(task, base, applySteps(base, solution.steps), solution))
  const deps = { repositories, callModel: model.callModel, checker, prices: {}, budgets: DEFAULT_BUDGETS }
  const { attempt, refusedCalls } = await runAttempt(deps, { task, model: id }, signal)
  const gold = applySteps(base, task.gold.steps)
  const misses = gradeAttempt(task.graders, attempt, { base, gold, sources: task.sources })
  // A correct answer that the product partly rejects could still pass by chance.
  if (solution === task.gold) misses.push(...refusedCalls.map((call) => `The product rejected a call: ${call}.`))
  const refused = refusedCalls.length > 0 || attempt.outcome === 'stopped'
  return { task: task.id, how: solution.how, passed: misses.length === 0, misses, refused }
}

type ReplayModel = Awaited<ReturnType<typeof openReplayModel>>

/** Turns allowed beyond the script, because a rejected `finish` is called again. */
const EXTRA_TURNS = 4

/** Opens a strict Messages API on loopback whose models each replay one script. */
async function openReplayModel() {
  const scripts = new Map<string, readonly (readonly ToolCall[])[]>()
  const modelScript = buildModelScript(({ model, messages }) => {
    const turns = scripts.get(model) ?? []
    const index = messages.filter(({ role }) => role === 'assistant').length
    const turn = turns[Math.min(index, turns.length - 1)]
    if (turn === undefined || index >= turns.length + EXTRA_TURNS) return [{ text: 'There is nothing to add.' }]
    return turn.map(({ name, input }) => ({ tool: name, input: { ...input } }))
  })
  const api: MessagesApi = await startMessagesApi({ modelScript, keepBodies: 1 })
  return {
    callModel: buildCallModel({ apiKey: api.key, baseUrl: api.url, maxRetries: 0 }),
    /** Returns the id of a model that replays these turns. */
    add(turns: readonly (readonly ToolCall[])[]): string {
      const model = `claude-haiku-replay-${scripts.size}`
      scripts.set(model, turns)
      return model
    },
    /** Returns the requests that the API rejected and the conversations that were not append-only. */
    faults: (): string[] => [...api.rejected(), ...api.violations().map(({ reason }) => reason)],
    [Symbol.asyncDispose]: () => api.close(),
  }
}
