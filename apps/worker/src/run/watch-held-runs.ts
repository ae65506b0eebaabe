import type { Database } from '@corrigenda/core/db'
import { type Fence, findInterrupted, type Interruption } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'

/** Runs that this process currently holds. */
export interface HeldRuns {
  /**
   * Starts watching a run.
   * @returns a function that stops watching it
   */
  add(run: Fence, onInterrupted: (why: Interruption['why']) => void): () => void
  close(): Promise<void>
}

/**
 * Detects within about a second that a run was cancelled or lost, with one query for all of the
 * process's runs. Lease renewals are less frequent.
 */
export function watchHeldRuns(deps: Pick<Database, 'prisma'> & { log: Log; everyMs?: number }): HeldRuns {
  const { everyMs = 1_000 } = deps
  const held = new Map<Fence, (why: Interruption['why']) => void>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | null = null
  const poll = async () => {
    const runs = [...held.keys()]
    try {
      const interrupted = await findInterrupted(deps, runs)
      for (const { runId, why } of interrupted) {
        const run = runs.find((one) => one.runId === runId)
        if (run) held.get(run)?.(why)
      }
    } catch (error) {
      // Lease renewals report an unavailable database.
      deps.log.debug({ reason: error instanceof Error ? error.name : 'unknown' }, 'polling of held runs failed')
    }
    polling = null
    schedule()
  }
  const schedule = () => {
    clearTimeout(timer)
    if (held.size === 0 || polling) return
    timer = setTimeout(() => {
      polling = poll()
    }, everyMs)
    timer.unref()
  }
  return {
    add(run, onInterrupted) {
      held.set(run, onInterrupted)
      schedule()
      return () => {
        held.delete(run)
      }
    },
    async close() {
      held.clear()
      clearTimeout(timer)
      await polling
    },
  }
}
