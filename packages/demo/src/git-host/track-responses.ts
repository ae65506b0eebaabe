import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Stops a server from accepting connections. Resolves as soon as no response is pending, or after
 * `graceMs` milliseconds.
 */
export type Drain = (graceMs: number) => Promise<void>

/**
 * Tracks a server's connections and responses, so that it can close without interrupting pending
 * responses. A connection is closed as soon as it has no pending response.
 */
export function trackResponses(server: Server): Drain {
  const sockets = new Set<Socket>()
  const responses = new Set<ServerResponse>()
  const drained = new AbortController()
  let draining = false
  const checkDrained = (): void => {
    if (!draining) return
    const busy = new Set([...responses].map((response) => response.req.socket))
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
    if (responses.size === 0) drained.abort()
  }
  const announceClose = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Runs before all other listeners, because some responses complete before the next listener runs.
  server.prependListener('request', (_, response) => {
    responses.add(response)
    if (draining) announceClose(response)
    response.once('close', () => {
      responses.delete(response)
      checkDrained()
    })
  })
  return async (graceMs) => {
    draining = true
    // An HTTP server's `close` would destroy connections whose response has been written but not
    // yet sent.
    NetServer.prototype.close.call(server)
    responses.forEach(announceClose)
    checkDrained()
    await sleep(graceMs, undefined, { signal: drained.signal }).catch(() => {})
  }
}
