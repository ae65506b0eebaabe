import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildChecker } from '@corrigenda/worker/parts'
import { openRepositories, type RepositoriesOptions } from '../run/open-repositories.ts'
import type { Task } from '../task/task.ts'
import type { Tree } from '../task/tree.ts'
import { checkSolution, listSolutions, type Replay } from './check-task.ts'
import { openReplayModel } from './replay-model.ts'

export interface CiOptions {
  readonly tasks: readonly Task[]
  readonly sites: Readonly<Record<string, () => Tree>>
  /** Selects a task's replays. Default: all. */
  readonly wants?: (solution: { readonly what: string }, index: number) => boolean
  /** Folder for fetched repositories. Default: a temporary folder. */
  readonly cacheDir?: string
  /** Process that unpacks external repositories. See {@link RepositoriesOptions}. */
  readonly coldBuild?: RepositoriesOptions['coldBuild']
  readonly credential?: RepositoriesOptions['credential']
}

export interface CiResult {
  readonly replays: readonly Replay[]
  /** One sentence per problem. */
  readonly problems: readonly string[]
}

/** Number of concurrent replays. More would not be faster, because reads wait for git. */
const AT_A_TIME = 3

/**
 * Replays task solutions through the product's loop, tools, checks and policy, with real
 * repositories and a strict Messages API on loopback. Every gold solution must pass and every other
 * solution must fail.
 */
export async function runCi(options: CiOptions, signal: AbortSignal): Promise<CiResult> {
  const root = await mkdtemp(join(tmpdir(), 'corrigenda-eval-'))
  try {
    const { sites, wants = () => true, coldBuild = 'inline', credential = null } = options
    const cacheDir = options.cacheDir ?? join(root, 'fetched')
    await using repositories = await openRepositories({
      root,
      cacheDir,
      sites,
      coldBuild,
      credential,
    })
    await using model = await openReplayModel()
    const checker = buildChecker()
    const chosen = options.tasks.flatMap((task) =>
      listSolutions(task)
        .filter(wants)
        .map((solution) => ({ task, solution })),
    )
    const replays = new Map<number, Replay>()
    const queue = [...chosen.entries()]
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        signal.throwIfAborted()
        const [position, { task, solution }] = next
        replays.set(position, await checkSolution({ repositories, model, checker }, task, solution, signal))
      }
    }
    // Waits for all workers before their resources are closed.
    const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    const all = chosen.flatMap((_, position) => replays.get(position) ?? [])
    const wrong = all.filter(({ passed, shouldPass }) => passed !== shouldPass)
    return { replays: all, problems: [...wrong.map(describeWrong), ...model.faults()] }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

function describeWrong({ task, what, shouldPass, misses }: Replay): string {
  return shouldPass ? `${task}: the gold solution fails. ${misses.join(' ')}` : `${task}: ${what} passes but is wrong.`
}
