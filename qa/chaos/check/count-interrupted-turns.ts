import type { History } from '../history/history.ts'

/** Counts of a job's interrupted claims, each of which may have cost a model turn. */
export interface InterruptedTurns {
  /**
   * Claims whose worker was killed after sending a model request and before storing the response.
   * Each cost at most one turn.
   */
  readonly killed: number
  /**
   * Claims interrupted after receiving a response and before storing it, for any other reason, such
   * as a database outage or a stopped process. Each cost one turn.
   */
  readonly otherwise: number
}

interface Claim {
  readonly attempt: number
  readonly pid: number
  last: string
}

/**
 * Counts the interruptions between sending a model request and storing its response. The result is
 * keyed by job id.
 */
export function countInterruptedTurns(history: History): ReadonlyMap<string, InterruptedTurns> {
  const claims = new Map<string, Claim[]>()
  for (const { jobId, attempt, pid, point } of history.list('point')) {
    const known = claims.get(jobId) ?? []
    claims.set(jobId, known)
    const claim = known.find((one) => one.attempt === attempt)
    if (claim) claim.last = point
    else known.push({ attempt, pid, last: point })
  }
  const killed = new Set(history.list('exit').flatMap(({ pid, signal }) => (signal === 'SIGKILL' ? [pid] : [])))
  return new Map([...claims].map(([job, own]) => [job, countIn(own, killed)]))
}

function countIn(claims: readonly Claim[], killed: ReadonlySet<number>): InterruptedTurns {
  const newest = Math.max(...claims.map(({ attempt }) => attempt))
  const cut = claims.filter(({ attempt, last }) => attempt < newest && /^model\./.test(last))
  return {
    killed: cut.filter(({ pid }) => killed.has(pid)).length,
    // A request without a response was cut off and not billed.
    otherwise: cut.filter(({ pid, last }) => !killed.has(pid) && last === 'model.answered').length,
  }
}
