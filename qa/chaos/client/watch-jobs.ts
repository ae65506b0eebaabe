import { isConnectionError } from '@corrigenda/core/db'
import type { Stack } from '../stack/open-stack.ts'

export interface JobWatch {
  status(job: string): string | undefined
  /** Returns the number of active jobs. */
  countActive(): number
  /**
   * Waits until these jobs have ended. This can take a long time on a slow machine, so the wait
   * times out only after a period without progress or after an hour.
   * @param quietMs maximum time without a run reaching a point (default 90 s)
   * @returns the ids of the jobs that have not ended
   */
  wait(jobs: readonly string[], quietMs?: number): Promise<string[]>
  stop(): Promise<void>
}

const QUIET_MS = 90_000
const LIMIT_MS = 3_600_000

/** Polls the status of all jobs and adds every change to the history. */
export function watchJobs(stack: Stack, everyMs = 500): JobWatch {
  const seen = new Map<string, string>()
  let stopped = false
  const poll = async () => {
    const rows = await stack.database.query<{ id: string; status: string }>('SELECT id, status::text FROM jobs')
    for (const { id, status } of rows) {
      const from = seen.get(id) ?? null
      if (from === status) continue
      seen.set(id, status)
      stack.history.add({ kind: 'status', job: id, from, to: status })
    }
  }
  const loop = async () => {
    while (!stopped) {
      // The database may be down. The next poll retries.
      await poll().catch((error: unknown) => {
        if (!isConnectionError(error)) throw error
      })
      await pause(everyMs)
    }
  }
  const looping = loop()
  return {
    status: (job) => seen.get(job),
    countActive: () => [...seen.values()].filter((status) => status === 'active').length,
    async wait(jobs, quietMs = QUIET_MS) {
      const open = () => jobs.filter((job) => (seen.get(job) ?? 'active') === 'active')
      const last = Date.now() + LIMIT_MS
      let [count, changed] = [0, Date.now()]
      while (open().length > 0 && Date.now() - changed < quietMs && Date.now() < last) {
        const points = stack.history.list('point').length
        if (points !== count) [count, changed] = [points, Date.now()]
        await pause(200)
      }
      return open()
    },
    async stop() {
      stopped = true
      await looping
      await poll()
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
