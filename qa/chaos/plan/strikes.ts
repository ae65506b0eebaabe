import type { RunPoint } from '@corrigenda/worker'
import type { Arrival, Order } from '../history/history.ts'

/** An order to kill a process when its job reaches a point. */
export interface Strike {
  readonly point: RunPoint
  /** Number of times the job passes the point before the strike. */
  readonly skip: number
}

export interface Strikes {
  /**
   * Sets a job's strikes, in order. A job waits at its first point for this call, because its
   * worker can reach that point before the job's creator receives the response.
   */
  set(job: string, strikes: readonly Strike[]): void
  decide(arrival: Arrival): Promise<Order>
  /** Returns the jobs with pending strikes. */
  left(): ReadonlyMap<string, readonly Strike[]>
  /** Waits until no strike of the job is pending, at most until the time limit. */
  untilStruck(job: string, limitMs: number): Promise<void>
}

const KNOWN_LIMIT_MS = 20_000
const POLL_MS = 10

/**
 * @param gather kills a process only once for several of its runs; each run waits at its point
 *   until `runs` runs have reached theirs or `limitMs` has passed
 */
export function openStrikes(gather: { runs: number; limitMs: number }): Strikes {
  const gathered = new Map<number, (() => void)[]>()
  const untilGathered = (pid: number) =>
    new Promise<void>((resolve) => {
      const waiting = [...(gathered.get(pid) ?? []), resolve]
      gathered.set(pid, waiting)
      const strikeAll = () => {
        gathered.delete(pid)
        for (const strike of waiting) strike()
      }
      if (waiting.length >= gather.runs) strikeAll()
      // The timeout applies only to the process's newest group. An older group has already been
      // struck.
      else setTimeout(() => gathered.get(pid) === waiting && strikeAll(), gather.limitMs)
    })
  const plans = new Map<string, Strike[]>()
  const passed = new Map<string, number>()
  const until = async (isTrue: () => boolean, limitMs: number) => {
    const deadline = Date.now() + limitMs
    while (!isTrue() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return {
    set: (job, strikes) => void plans.set(job, [...strikes]),
    async decide(arrival) {
      const { jobId, point } = arrival
      if (!plans.has(jobId)) await until(() => plans.has(jobId), KNOWN_LIMIT_MS)
      const next = plans.get(jobId)?.[0]
      if (next?.point !== point) return 'go'
      const times = passed.get(jobId) ?? 0
      if (times < next.skip) {
        passed.set(jobId, times + 1)
        return 'go'
      }
      passed.set(jobId, 0)
      plans.get(jobId)?.shift()
      if (gather.runs > 1) await untilGathered(arrival.pid)
      return 'kill'
    },
    left: () => new Map([...plans].filter(([, strikes]) => strikes.length > 0)),
    untilStruck: (job, limitMs) => until(() => plans.get(job)?.length === 0, limitMs),
  }
}
