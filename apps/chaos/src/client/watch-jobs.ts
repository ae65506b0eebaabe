import type { Stack } from '../stack/open-stack.ts'

export interface JobWatch {
  status(job: string): string | undefined
  /** Jobs that are active now. */
  countActive(): number
  /** Until these jobs have ended. @returns the ids of those that had not in time */
  wait(jobs: readonly string[], limitMs: number): Promise<string[]>
  stop(): Promise<void>
}

/** Looks at the status of all jobs twice a second and writes every change into the history. */
export function watchJobs(stack: Stack, everyMs = 500): JobWatch {
  const seen = new Map<string, string>()
  let stopped = false
  const look = async () => {
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
      await look().catch(() => {})
      await pause(everyMs)
    }
  }
  const looping = loop()
  return {
    status: (job) => seen.get(job),
    countActive: () => [...seen.values()].filter((status) => status === 'active').length,
    async wait(jobs, limitMs) {
      const deadline = Date.now() + limitMs
      const open = () => jobs.filter((job) => (seen.get(job) ?? 'active') === 'active')
      while (open().length > 0 && Date.now() < deadline) await pause(100)
      return open()
    },
    async stop() {
      stopped = true
      await looping
      await look()
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
