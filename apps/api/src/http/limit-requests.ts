import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isProbe } from './log-requests.ts'

/**
 * Maximum number of requests of one caller that are in progress, and of those that work at the same
 * time. The others wait. Requests of another caller wait only for those that work. Clients commonly
 * use up to 50 connections.
 */
const LIMITS = {
  request: { inProgress: 64, working: 8 },
  /** The number of database connections for searches. */
  search: { inProgress: 3, working: 3 },
  /** Creations of a project wait in a queue of their own. This limits the bodies in memory. */
  creation: { inProgress: 1_000, working: 1_000 },
}

/** The requests of one caller and kind. */
interface Requests {
  inProgress: number
  working: number
  readonly waiting: (() => void)[]
}

/** Minimum delay of a refusal, in ms, for clients that send the next request as soon as one is refused. */
const DELAY_MS = 250
/** Maximum number of refusals that are delayed at the same time. */
const DELAYED = 1_000

/** One IP address, API key or user sends too many requests. The message reveals nothing about keys. */
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
interface LimitedCaller {
  readonly id: string
  readonly kind: 'key' | 'token' | 'user'
}

const SENDERS = { key: 'with this API key', token: 'with tokens for this job', user: 'from this user' } as const

export interface RequestLimits {
  /** Counts a request for its authenticated caller, once. @throws TooManyRequestsError */
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
  const all = new Map<string, Requests>()
  const counted = new WeakMap<FastifyRequest, { name: string; requests: Requests; isWorking: boolean }>()
  let delayed = 0

  const refuse = async (error: TooManyRequestsError): Promise<never> => {
    if (delayed < DELAYED) {
      delayed += 1
      await sleep(DELAY_MS * (1 + Math.random()))
      delayed -= 1
    }
    throw error
  }
  const end = (request: FastifyRequest): void => {
    const { name = '', requests, isWorking } = counted.get(request) ?? {}
    if (requests === undefined) return
    counted.delete(request)
    requests.inProgress -= 1
    if (requests.inProgress === 0) all.delete(name)
    if (isWorking) passOn(requests)
  }
  const passOn = (requests: Requests): void => {
    const next = requests.waiting.shift()
    if (next) next()
    else requests.working -= 1
  }
  const begin = async (request: FastifyRequest, caller: string): Promise<void> => {
    end(request)
    const { raw } = request
    const kind = toKind(request)
    const name = `${kind} ${caller}`
    const requests = all.get(name) ?? { inProgress: 0, working: 0, waiting: [] }
    if (requests.inProgress >= LIMITS[kind].inProgress || raw.socket.destroyed) {
      return refuse(new TooManyRequestsError(1, 'at the same time'))
    }
    requests.inProgress += 1
    all.set(name, requests)
    counted.set(request, { name, requests, isWorking: false })
    // An upload that the client aborts has no response.
    raw.once('close', () => raw.complete || end(request))
  }
  const work = async (request: FastifyRequest): Promise<void> => {
    const own = counted.get(request)
    if (own === undefined) return
    const { requests } = own
    if (requests.working < LIMITS[toKind(request)].working) requests.working += 1
    else await new Promise<void>((resolve) => requests.waiting.push(resolve))
    // It was answered while it waited.
    if (!counted.has(request)) return passOn(requests)
    own.isWorking = true
    if (!request.raw.socket.destroyed) return
    end(request)
    throw new TooManyRequestsError(1, 'at the same time')
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
  // A slow upload does not hold back the caller's other requests.
  app.addHook('preHandler', (request, _reply, done) => {
    work(request).then(() => done(), done)
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

const toKind = ({ method, routeOptions, query }: FastifyRequest): keyof typeof LIMITS => {
  if (method === 'POST' && routeOptions.url?.endsWith('/job')) return 'creation'
  // All search endpoints have this parameter.
  return (query as { q?: unknown }).q ? 'search' : 'request'
}
