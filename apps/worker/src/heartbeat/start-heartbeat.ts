import { setTimeout } from 'node:timers/promises'
import type { Database } from '@corrigenda/core/db'
import type { Log } from '@corrigenda/core/runtime'
import { type Heartbeat, recordHeartbeat, removeWorker } from '@corrigenda/core/workers'

export interface HeartbeatDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  /** Milliseconds between beats; other than the default only in tests. */
  readonly everyMs?: number
}

/**
 * Says every 4 seconds that this worker is alive and how busy it is, until stopped; then it is forgotten at once. A beat that the database does not
 * take is not repeated: the next one follows.
 * @param who what does not change; `busy` is asked at each beat
 */
export function startHeartbeat(
  { prisma, log, everyMs = 4_000 }: HeartbeatDeps,
  who: Omit<Heartbeat, 'busy'>,
  busy: () => number,
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  const beat = async () => {
    try {
      await recordHeartbeat({ prisma }, { ...who, busy: busy() })
    } catch (error) {
      // The sweeper reports an absent database.
      log.debug({ reason: error instanceof Error ? error.name : 'unknown' }, 'heartbeat not recorded')
    }
    if (stopped) return
    timer = globalThis.setTimeout(() => {
      beating = beat()
    }, everyMs)
    timer.unref()
  }
  beating = beat()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await beating
      // A database that is away does not hold up the shutdown: the row is forgotten in a day.
      await Promise.race([
        removeWorker({ prisma }, who.id).catch(() => {}),
        setTimeout(2_000, undefined, { ref: false }),
      ])
    },
  }
}
