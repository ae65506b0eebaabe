import type { Database } from '@corrigenda/core/db'

export interface WatchedRun {
  readonly id: string
  readonly jobId: string
  readonly active: boolean
  readonly attempt: number
  readonly releases: number
  readonly nextRunAt: Date
  readonly leaseUntil: Date | null
}

export interface RunWatch {
  /** Returns the job's run once it has ended or is waiting for a retry. */
  whenStill(jobId: string): Promise<WatchedRun>
  stop(): void
}

const POLL_MS = 100
/** Shorter waits are not reported. */
const NOTICED_MS = 1000

/** Polls the runs of all awaited jobs in one query. */
export function watchRuns({ prisma }: Pick<Database, 'prisma'>): RunWatch {
  const waiting = new Map<string, (run: WatchedRun) => void>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const poll = async () => {
    const runs = await prisma.run.findMany({ where: { jobId: { in: [...waiting.keys()] } } })
    for (const run of runs) {
      const isWaiting = run.leaseUntil === null && run.nextRunAt.getTime() > Date.now() + NOTICED_MS
      if (run.active && !isWaiting) continue
      waiting.get(run.jobId)?.(run)
      waiting.delete(run.jobId)
    }
    schedule()
  }
  const schedule = () => {
    if (!stopped) timer = setTimeout(() => void (waiting.size > 0 ? poll() : schedule()), POLL_MS)
  }
  schedule()
  return {
    whenStill: (jobId) => new Promise((resolve) => waiting.set(jobId, resolve)),
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
