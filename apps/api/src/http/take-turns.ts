import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isProbe } from './is-probe.ts'
import { EdgeLimitError } from './limit-edge.ts'
import { openTurns, type Turns } from './open-turns.ts'
import { shareTurns } from './share-turns.ts'
import { isSearch, isSharedRead } from './shared-reads.ts'
import { type Shares, watchShares } from './watch-shares.ts'

/** Maximum number of request bodies of one caller in memory; a body has at most 1 MiB. */
const BODIES = 20
const WAITING = 1_000
/** Maximum time that a request waits for a turn, in ms. Nothing has been done when it is refused. */
const WAIT_MS = 20_000
const MAX_KNOWN = 10_000
/** Maximum number of job creations of one owner at the same time. They share statements. */
const CREATIONS = 20
/** The same while the process has no creations of other owners. */
const CREATIONS_ALONE = 50

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler only creates a job. Creations of several requests share a statement. */
    createsJob?: boolean
  }
}

/** The turns of this process's requests. */
export interface RequestTurns {
  /**
   * Notes whose turns a request's key or session uses from now on. Requests without a known key or
   * session share the turns of their IP address, so that invented keys gain nothing.
   */
  noteOwner(request: FastifyRequest, owner: string): void
  /**
   * Ends a request's turns and its time limit early, for a response that stays open or a handler that
   * waits for something other than the database.
   */
  end(request: FastifyRequest): void
  /** Runs one database operation of a handler that also waits for other things. */
  run<T>(request: FastifyRequest, work: () => Promise<T>, kind?: 'search'): Promise<T>
}

/**
 * Makes requests take turns while they are authenticated and while their handler runs, so that the
 * requests of one project or user cannot occupy the database connections and delay those of others.
 * One owner has at most a tenth of the turns, but at least two, and one search at a time. An owner
 * with most of the recent turns pauses between its turns while others are active. No turn is held
 * while a body is uploaded, but the number of an owner's bodies in memory is limited.
 *
 * Routes with `database: 'none'` take no turns. The handler of a route with `database: 'handler'`
 * takes turns itself. The requests of an owner that read with shared statements also share a turn,
 * which lasts until they are answered. Creations of jobs with a key have turns of their own, because
 * they share statements, too.
 * @param limits.requests at most the number of database connections
 * @param limits.searches at most the number of connections for searches
 * @param limits.shares for tests
 * @param onEnd called when a request ends its turns
 */
export function takeTurns(
  app: FastifyInstance,
  limits: { requests: number; searches: number; shares?: Shares },
  onEnd: (request: FastifyRequest) => void = () => {},
): RequestTurns {
  const refuse = () => new EdgeLimitError(1, 'at the same time')
  const waits = { waitingPerOwner: WAITING, waitMs: WAIT_MS, refuse }
  const { requests, searches, shares = watchShares() } = limits
  const perOwner = Math.max(2, Math.floor(requests / 10))
  const working = openTurns({ ...waits, shares, total: requests, perOwner })
  const searching = openTurns({ ...waits, shares, total: searches, perOwner: 1 })
  const join = shareTurns(working, { waitingPerOwner: WAITING, refuse })
  const creating = openTurns({ ...waits, shares, perOwner: CREATIONS, alone: CREATIONS_ALONE })
  const uploads = openTurns({ ...waits, perOwner: BODIES })
  // The least recently used first.
  const known = new Map<string, string>()
  const held = new WeakMap<FastifyRequest, (() => void)[]>()

  const findOwner = (request: FastifyRequest): string => {
    const name = toCredential(request)
    const owner = name === null ? undefined : known.get(name)
    if (name === null || owner === undefined) return `address:${request.ip}`
    known.delete(name)
    known.set(name, owner)
    return owner
  }
  const hold = (request: FastifyRequest, end: () => void) => held.set(request, [...(held.get(request) ?? []), end])
  const take = async (turns: Turns, request: FastifyRequest): Promise<() => void> => {
    const { socket } = request.raw
    // The client has disconnected, so there is no further event. Its body would never arrive.
    if (socket.destroyed) throw refuse()
    const owner = findOwner(request)
    const end = turns.takeFree(owner) ?? (await waitForTurn(turns, owner, socket))
    hold(request, end)
    return end
  }
  const waitForTurn = async (turns: Turns, owner: string, socket: Socket): Promise<() => void> => {
    const gone = new AbortController()
    const leave = () => gone.abort(refuse())
    socket.once('close', leave)
    try {
      return await turns.take(owner, gone.signal)
    } finally {
      socket.off('close', leave)
    }
  }
  const end = (request: FastifyRequest) => {
    for (const endTurn of held.get(request) ?? []) endTurn()
    held.delete(request)
    onEnd(request)
  }
  const isExempt = (request: FastifyRequest) =>
    request.is404 || request.routeOptions.config.database === 'none' || isProbe(request)

  // A turn ends with the work, not when the client disconnects, because the handler continues.
  app.addHook('onRequest', (request, _reply, done) => {
    if (isExempt(request)) return done()
    // The statement that reads the key is shared.
    const taken =
      isSharedRead(request) || isCreation(request)
        ? join(findOwner(request)).then((leave) => hold(request, leave))
        : take(working, request)
    taken.then(() => done(), done)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (isSharedRead(request)) return done()
    end(request)
    if (isExempt(request) || !hasBody(request)) return done()
    take(uploads, request).then((drop) => {
      // An upload that the client aborts has no response.
      request.raw.once('close', () => request.raw.complete || drop())
      done()
    }, done)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const { database } = request.routeOptions.config
    const takesOwn = database !== undefined && database !== 'shared'
    if (takesOwn || isSharedRead(request) || isExempt(request)) return done()
    const turns = isCreation(request) ? creating : isSearch(request) ? searching : working
    take(turns, request).then(() => done(), done)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    end(request)
    done()
  })

  return {
    noteOwner(request, owner) {
      const name = toCredential(request)
      if (name === null) return
      if (known.size >= MAX_KNOWN) for (const oldest of [...known.keys()].slice(0, MAX_KNOWN / 10)) known.delete(oldest)
      known.set(name, owner)
    },
    end,
    async run(request, work, kind) {
      const endTurn = await take(kind === 'search' ? searching : working, request)
      try {
        return await work()
      } finally {
        endTurn()
      }
    },
  }
}

const isCreation = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.createsJob === true && headers.authorization !== undefined

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const credentials = new WeakMap<FastifyRequest, string>()

/** Returns a hash of the request's key or cookies, or null if it has neither. */
function toCredential(request: FastifyRequest): string | null {
  const { authorization, cookie } = request.headers
  const text = authorization ?? cookie
  if (text === undefined) return null
  const found = credentials.get(request) ?? hash('sha256', text, 'base64')
  credentials.set(request, found)
  return found
}
