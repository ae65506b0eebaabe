import type { History } from '../history/history.ts'

/** Claims of one job that ended before their run did, and that may have cost a turn of the model. */
export interface InterruptedTurns {
  /** A kill -9 came while the model was asked, or before its answer was kept: at most one turn each. */
  readonly killed: number
  /** Anything else came before an answer was kept, such as an outage of the database or a stopped process: one turn each. */
  readonly otherwise: number
}

interface Claim {
  readonly attempt: number
  readonly pid: number
  last: string
}

/** What interrupted the work of each job between a question to the model and the moment its answer was kept, by job id. */
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
    // Asked and not answered: the question was cut, and nobody paid for an answer.
    otherwise: cut.filter(({ pid, last }) => !killed.has(pid) && last === 'model.answered').length,
  }
}
