import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Limits of the data that is read and discarded. */
export interface DrainLimits {
  readonly bytes: number
  /** Maximum time from the refusal until the connection is closed, in ms. */
  readonly ms: number
  /** Maximum time that the response waits for the end of the body, in ms. */
  readonly waitMs: number
  /** Maximum number of bodies from one IP address that are discarded at the same time. */
  readonly perAddress: number
}

const LIMITS: DrainLimits = { bytes: 67_108_864, ms: 10_000, waitMs: 2_000, perAddress: 20 }

/**
 * Makes responses readable that do not depend on the rest of the body, such as 413 and 401. If a
 * connection is closed while its client is sending, the client's system resets it, and most clients
 * report that instead of the response. A response before the end of the body also blocks Node's
 * client if it reads the response last. The rest of the body is therefore read and discarded: the
 * response waits for its end for a short time, and the connection is closed after its end or at a
 * limit.
 *
 * A client that sends `Expect: 100-continue` is asked for its body only after the request is
 * authenticated, and not if the body is too large.
 */
export function drainUploads(app: FastifyInstance, limits = LIMITS): void {
  const perAddress = new Map<string, number>()
  const sockets = new Set<Socket>()
  const unasked = new WeakSet<IncomingMessage>()

  app.server.on('checkContinue', (request: IncomingMessage, response) => {
    unasked.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', async ({ raw, routeOptions }, reply) => {
    if (!unasked.has(raw) || toLength(raw, 0) > routeOptions.bodyLimit) return
    unasked.delete(raw)
    reply.raw.writeContinue()
  })
  app.addHook('onSend', async ({ raw, ip, routeOptions }, reply) => {
    // Injected requests have no `complete`.
    if (raw.complete !== false || raw.socket.destroyed) return
    const others = perAddress.get(ip) ?? 0
    if (others >= limits.perAddress) return void reply.header('connection', 'close')
    perAddress.set(ip, others + 1)
    const { socket } = raw
    sockets.add(socket)
    raw.once('close', () => {
      sockets.delete(socket)
      const left = (perAddress.get(ip) ?? 1) - 1
      if (left > 0) perAddress.set(ip, left)
      else perAddress.delete(ip)
    })
    await drain(raw, unasked.has(raw) ? { ...limits, waitMs: 0 } : limits)
    if (toLength(raw, Number.POSITIVE_INFINITY) > routeOptions.bodyLimit) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy()
  })
}

const toLength = ({ headers }: IncomingMessage, unknown: number): number => Number(headers['content-length'] ?? unknown)

/**
 * Discards the rest of the body. Resolves when the response should be sent. A connection that is to
 * be closed after the response is closed when the body has arrived or a limit is reached.
 */
function drain(raw: IncomingMessage, { bytes, ms, waitMs }: DrainLimits): Promise<void> {
  const { socket } = raw
  const close = socket.destroySoon.bind(socket)
  let left = bytes
  let isOver = false
  let isAnswered = false
  // Node.js calls this method after a response with "Connection: close".
  socket.destroySoon = () => {
    isAnswered = true
    if (isOver || raw.complete) close()
  }
  return new Promise((resolve) => {
    const end = () => {
      isOver = true
      resolve()
      if (isAnswered) close()
    }
    const timers = [setTimeout(resolve, waitMs), setTimeout(end, ms)]
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) end()
    })
    raw.once('end', end)
    raw.once('close', () => {
      for (const timer of timers) clearTimeout(timer)
      resolve()
    })
  })
}
