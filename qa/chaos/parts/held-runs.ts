import type { Arrival } from '../history/history.ts'

/** The runs that each process is working on, derived from the points they reach. */
export interface HeldRuns {
  note(arrival: Arrival): void
  /** Returns the number of runs held by the process with this pid. */
  count(pid: number | null): number
}

export function openHeldRuns(): HeldRuns {
  const held = new Map<string, number>()
  return {
    note({ point, runId, pid }) {
      if (point === 'run.finished') held.delete(runId)
      else held.set(runId, pid)
    },
    count: (pid) => [...held.values()].filter((owner) => owner === pid).length,
  }
}
