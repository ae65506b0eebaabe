import type { History } from '../history/history.ts'
import type { Tables } from './read-tables.ts'

interface Recovery {
  /** Milliseconds from a kill to the next claim, for each run that the killed process held. */
  readonly afterDeath: readonly number[]
  /** Milliseconds from SIGTERM to the next claim, for each run that the terminated process held. */
  readonly afterTerm: readonly number[]
}

const OVER = new Set(['job.completed', 'job.failed', 'job.released'])

/**
 * Computes how long each interrupted run had no worker, based on its claims. The time is infinite
 * for a run that was not claimed again. Runs that the process had lost before are left out.
 */
export function measureRecovery(history: History, tables: Tables): Recovery {
  const jobs = new Map(tables.runs.map((run) => [run.id, run.job_id]))
  const claims = history.list('point').filter(({ point }) => point === 'run.claimed')
  const waitFor = (pid: number, from: number, isRelease: boolean): number[] =>
    [...claims].flatMap(({ pid: owner, at, runId, attempt }) => {
      if (owner !== pid || at > from) return []
      const events = tables.events.get(jobs.get(runId) ?? '') ?? []
      const claim = events.findIndex(({ type, data }) => isClaim(type) && data.attempt === attempt)
      const rest = events.slice(claim + 1)
      const next = rest.findIndex(({ type }) => isClaim(type))
      const own = next === -1 ? rest : rest.slice(0, next)
      const isOver = own.some(
        ({ type, at: when }) => OVER.has(type) && (when <= from || !isRelease || type !== 'job.released'),
      )
      const nextAt = rest[next]?.at ?? Number.POSITIVE_INFINITY
      return claim === -1 || isOver || nextAt <= from ? [] : [nextAt - from]
    })
  const terms = history.list('act').filter(({ act }) => act === 'term')
  const ends = history.list('exit').filter(({ signal }) => signal === 'SIGKILL')
  return {
    afterDeath: ends.flatMap(({ pid, at }) => waitFor(pid, at, false)),
    afterTerm: terms.flatMap(({ pid, at }) => (pid === null ? [] : waitFor(pid, at, true))),
  }
}

const isClaim = (type: string): boolean => type === 'job.started' || type === 'job.resumed'

/** Returns p50, p99 and the maximum in seconds. */
export function summarize(samples: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / 1000
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

export const formatRecovery = ({ p50, p99, max }: ReturnType<typeof summarize>): string =>
  `p50 ${p50.toFixed(1)} s, p99 ${p99.toFixed(1)} s, max ${max.toFixed(1)} s`
