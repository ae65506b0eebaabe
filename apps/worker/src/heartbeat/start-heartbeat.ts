import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelKind } from '@corrigenda/contracts'
import type { Database } from '@corrigenda/core/db'
import type { Log } from '@corrigenda/core/runtime'
import { type Heartbeat, recordHeartbeat, removeWorker } from '@corrigenda/core/workers'

interface HeartbeatDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  /** Milliseconds between heartbeats. Overridden only in tests. */
  readonly everyMs?: number
}

/**
 * Until stopped, records every 4 seconds that this worker is running and how busy it is. Stopping
 * removes the record immediately. A heartbeat that cannot be recorded is not retried, because the
 * next one follows soon.
 * @param worker the worker's constant data; `busy` is called for each heartbeat
 */
export function startHeartbeat(
  { prisma, log, everyMs = 4_000 }: HeartbeatDeps,
  worker: Omit<Heartbeat, 'busy'>,
  busy: () => number,
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  const beat = async () => {
    try {
      await recordHeartbeat({ prisma }, { ...worker, busy: busy() })
    } catch (error) {
      // The sweeper reports an unavailable database.
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
      // An unavailable database must not delay the shutdown. The row expires after a day.
      await Promise.race([removeWorker({ prisma }, worker.id).catch(() => {}), sleep(2_000, undefined, { ref: false })])
    },
  }
}

/** Returns the model kind implied by the URL of a Messages API. */
export function toModelKind(baseUrl: string): ModelKind {
  return new URL(baseUrl).hostname === 'api.anthropic.com' ? 'anthropic' : 'other'
}
