import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EdgeLimitError } from './limit-edge.ts'
import type { RequestTurns } from './take-turns.ts'

/** An authenticated API key, job token or user. */
export interface AdmittedCaller {
  readonly id: string
  readonly kind: 'key' | 'token' | 'user'
  /** The project, job or user that the caller takes turns with. */
  readonly owner: string
}

/**
 * Counts a request of an API key or a user, and notes whose turns it uses.
 * @throws EdgeLimitError
 */
export type AdmitCaller = (request: FastifyRequest, caller: AdmittedCaller) => Promise<void>

const SENDERS = { key: 'with this API key', token: 'with tokens for this job', user: 'from this user' } as const

/**
 * Limits the requests of an API key or a user, per minute and process. It keeps a caller from using
 * the capacity of others, also from many addresses.
 */
export function admitCallers(app: FastifyInstance, max: number, turns: RequestTurns): AdmitCaller {
  const ids = new WeakMap<FastifyRequest, string>()
  const count = app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: (request) => ids.get(request) ?? '' })
  return async (request, { id, kind, owner }) => {
    // Streams check their request's session repeatedly.
    if (ids.has(request)) return
    ids.set(request, id)
    turns.noteOwner(request, owner)
    const requests = await count(request)
    if (requests.isAllowed || !requests.isExceeded) return
    throw new EdgeLimitError(requests.ttlInSeconds, SENDERS[kind])
  }
}
