import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isProbe } from './is-probe.ts'

/**
 * Maximum number of requests of one caller that are in progress. Connections of the database are
 * granted in the order of the requests, so this is also the number of requests that another caller
 * waits for. Clients commonly use up to 50 connections.
 */
const IN_PROGRESS = {
  request: 64,
  /** The number of database connections for searches. */
  search: 3,
  /** Creations of a project wait in a queue of their own. This limits the bodies in memory. */
  creation: 1_000,
}

/**
 * Minimum delay of a refusal, in ms. The delays differ by up to the same time, so that the next
 * requests of many clients do not arrive together. Clients that send the next request as soon as one
 * is refused would otherwise occupy the process.
 */
const DELAY_MS = 250
/** Maximum number of refusals that are delayed at the same time. Further ones are sent at once. */
const DELAYED = 1_000

/**
 * Thrown when one IP address, API key or user sends too many requests. The message reveals nothing
 * about keys or projects.
 */
export class TooManyRequestsError extends Error {
  readonly code = 'too_many_requests'
  constructor(
    readonly retryAfterSeconds: number,
    sender = 'from this IP address',
  ) {
    super(`Too many requests ${sender}. Try again later.`)
  }
}

/** An API key, the tokens of one of its jobs, or a user. */
export interface LimitedCaller {
  readonly id: string
  readonly kind: 'key' | 'token' | 'user'
}

const SENDERS = { key: 'with this API key', token: 'with tokens for this job', user: 'from this user' } as const

export interface RequestLimits {
  /**
   * Counts a request for the caller that it was authenticated as. Later calls for the same request
   * have no effect.
   * @throws TooManyRequestsError
   */
  admit(request: FastifyRequest, caller: LimitedCaller): Promise<void>
  /** Ends a request early, for a response that stays open or a handler that waits. */
  end(request: FastifyRequest): void
}

/**
 * Limits requests per minute and requests in progress, so that no caller occupies the process or the
 * database. The counts are in memory, so the limits apply to this process only. Requests that are
 * not authenticated count for their IP address, so that invented keys gain nothing.
 * @param perMinute limits for one IP address, before any other hook, and for one caller
 */
export function limitRequests(
  app: FastifyInstance,
  perMinute: { readonly address: number; readonly caller: number },
): RequestLimits {
  const admitted = new WeakMap<FastifyRequest, string>()
  const countAddress = app.createRateLimit({ max: perMinute.address, timeWindow: 60_000 })
  const countCaller = app.createRateLimit({
    max: perMinute.caller,
    timeWindow: 60_000,
    keyGenerator: (request) => admitted.get(request) ?? '',
  })
  /** The number of requests in progress by caller and kind of request. */
  const running = new Map<string, number>()
  const ends = new WeakMap<FastifyRequest, () => void>()
  let delayed = 0

  const refuse = async (error: TooManyRequestsError): Promise<never> => {
    if (delayed < DELAYED) {
      delayed += 1
      await pause(DELAY_MS * (1 + Math.random()))
      delayed -= 1
    }
    throw error
  }
  const end = (request: FastifyRequest): void => ends.get(request)?.()
  const begin = async (request: FastifyRequest, caller: string): Promise<void> => {
    end(request)
    const { raw } = request
    const kind = toKind(request)
    const name = `${kind} ${caller}`
    const count = running.get(name) ?? 0
    // There is no further event of a client that has disconnected.
    if (count >= IN_PROGRESS[kind] || raw.socket.destroyed) {
      return refuse(new TooManyRequestsError(1, 'at the same time'))
    }
    running.set(name, count + 1)
    ends.set(request, () => {
      ends.delete(request)
      const left = (running.get(name) ?? 1) - 1
      if (left > 0) running.set(name, left)
      else running.delete(name)
    })
    // An upload that the client aborts has no response.
    raw.once('close', () => raw.complete || end(request))
  }

  app.addHook('onRequest', async (request) => {
    const requests = await countAddress(request)
    if (requests.isAllowed || !requests.isExceeded) return
    await refuse(new TooManyRequestsError(requests.ttlInSeconds))
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const isFree = request.is404 || request.routeOptions.config.database === 'none' || isProbe(request)
    if (isFree || admitted.has(request)) return done()
    begin(request, `address ${request.ip}`).then(() => done(), done)
  })
  // The handler continues when a client disconnects, and has ended when it sends the response.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    end(request)
    done()
  })

  return {
    async admit(request, { id, kind }) {
      // Streams check the session of their request repeatedly.
      if (admitted.has(request)) return
      admitted.set(request, id)
      await begin(request, id)
      const requests = await countCaller(request)
      if (requests.isAllowed || !requests.isExceeded) return
      end(request)
      await refuse(new TooManyRequestsError(requests.ttlInSeconds, SENDERS[kind]))
    },
    end,
  }
}

const toKind = ({ method, routeOptions, query }: FastifyRequest): keyof typeof IN_PROGRESS => {
  if (method === 'POST' && routeOptions.url?.endsWith('/job')) return 'creation'
  // All search endpoints have this parameter.
  return (query as { q?: unknown }).q ? 'search' : 'request'
}
