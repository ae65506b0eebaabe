import type { Database } from '../db/open-database.ts'
import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import { findDeadWorkers } from './find-dead-workers.ts'
import { openWorkerSession, type SessionQuery, type WorkerSession } from './open-worker-session.ts'
import { refuteTakeovers } from './refute-takeovers.ts'
import { lookAtWorkers, readWorkerNames, takeOverRuns } from './take-over-runs.ts'
import { toWorkerKey } from './worker-key.ts'

export interface WatchDeps extends Pick<Database, 'prisma'> {
  /** URL of a direct connection to Postgres. */
  readonly directUrl: string
  /** This worker's name in leases. */
  readonly owner: string
  readonly leaseSeconds: number
  readonly maxAttempts: number
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  readonly log: Log
}

/** Time in ms between two looks while other workers report runs, and otherwise. */
const LOOK_MS = 1_000
const IDLE_LOOK_MS = 2_500

/**
 * Holds this worker's lock and takes over the runs of workers whose process has ended. A worker that
 * is suspended, or whose machine is lost, keeps its lock. Its leases expire.
 */
export function watchWorkers(deps: WatchDeps): WorkerSession {
  const { directUrl: url, owner, log } = deps
  const own = toWorkerKey(owner)
  return openWorkerSession({
    ...{ url, owner, log },
    async onOpen(query) {
      void reportRefuted(deps)
      const judge = findDeadWorkers(own)
      return async () => {
        const look = await lookAtWorkers(query, owner)
        if (!look.held.has(own)) throw new Error("the worker's lock is not held")
        const dead = judge(look)
        const names = dead.size > 0 ? await readWorkerNames(query) : new Map<number, string>()
        for (const [key, missingSince] of dead) {
          const name = names.get(key)
          if (name !== undefined) await takeOver(deps, query, { owner: name, missingSince })
        }
        return look.othersBusy || dead.size > 0 ? LOOK_MS : IDLE_LOOK_MS
      }
    },
  })
}

async function takeOver(
  { maxAttempts, queue, log }: WatchDeps,
  query: SessionQuery,
  dead: { owner: string; missingSince: number },
): Promise<void> {
  const runs = await takeOverRuns(query, { ...dead, maxAttempts })
  if (runs === 0) return
  log.warn({ owner: dead.owner, runs }, 'a worker has died; its runs continue')
  try {
    for (let n = 0; n < runs; n += 1) await queue.wakeWorker()
  } catch {
    log.debug('no worker woken for the runs of a dead worker; left to the sweeper')
  }
}

/** Corrects takeovers of this worker's runs. Called when the worker may have been taken for dead. */
export async function reportRefuted(deps: Pick<WatchDeps, 'prisma' | 'owner' | 'leaseSeconds' | 'log'>): Promise<void> {
  try {
    const runs = await refuteTakeovers(deps, deps.owner)
    if (runs > 0) deps.log.warn({ runs }, 'other workers took over runs of this worker although it is running')
  } catch (error) {
    deps.log.debug({ reason: error instanceof Error ? error.name : 'unknown' }, 'takeovers not corrected')
  }
}
