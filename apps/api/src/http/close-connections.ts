import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Age in ms up to which a connection without a request may have one on the way. */
const YOUNG_MS = 1_000
/** Limits the delay while clients open connections all the time. Node.js queues 511 of them. */
const MAX_WAITING = 1_000

/**
 * Ends connections that have not sent a request when the server closes, and the others after their
 * requests in progress. Browsers and connection pools open connections in advance. Node.js counts
 * neither of them as idle, so the server would wait for them for more than a minute. A connection
 * that was opened just before gets the response to its first request.
 */
export function closeConnections(app: FastifyInstance): void {
  /** When the connections without a request were opened, as `performance.now()`. */
  const silent = new Map<Socket, number>()
  let isClosing = false
  let opened = 0
  const endSilent = (socket: Socket, openedAt: number) => {
    const end = () => {
      if (silent.has(socket)) socket.destroy()
    }
    const left = openedAt + YOUNG_MS - performance.now()
    if (left <= 0) end()
    else setTimeout(end, left)
  }
  /**
   * Accepts the connections that wait for it, because the system resets them when the server closes.
   * Node.js accepts one in each turn of its event loop.
   */
  const acceptWaiting = (left: number, done: () => void) => {
    const before = opened
    setImmediate(() => setImmediate(() => (opened > before && left > 0 ? acceptWaiting(left - 1, done) : done())))
  }
  app.server.on('connection', (socket: Socket) => {
    const openedAt = performance.now()
    opened += 1
    silent.set(socket, openedAt)
    socket.once('close', () => silent.delete(socket))
    if (isClosing) endSilent(socket, openedAt)
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    isClosing = true
    app.server.keepAliveTimeout = 1
    for (const [socket, openedAt] of silent) endSilent(socket, openedAt)
    acceptWaiting(MAX_WAITING, done)
  })
}
