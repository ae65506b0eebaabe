import type { History } from '../history/history.ts'

/** Claims of one job that ended before their run and may have cost a model turn. */
export interface InterruptedTurns {
  /** A kill -9 during a model request or before its response was stored. At most one turn each. */
  readonly killed: number
  /**
   * Any other interruption before a response was stored, such as a database outage or a stopped
   * process. One turn each.
   */
  readonly otherwise: number
}

interface Claim {
  readonly attempt: number
  readonly pid: number
  last: string
}

/**
 * Returns the interruptions of each job between a model request and the storage of its response, by
 * job id.
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
    // Requested without a response: the request was cut off and no response was billed.
    otherwise: cut.filter(({ pid, last }) => !killed.has(pid) && last === 'model.answered').length,
  }
}
