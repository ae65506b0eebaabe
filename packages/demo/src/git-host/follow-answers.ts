import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Stops a server from accepting; resolves when nothing is under way any more, or after `graceMs` milliseconds. */
export type Drain = (graceMs: number) => Promise<void>

/**
 * Follows the connections and answers of a server, so that it can be closed without cutting what is under way: a connection is
 * ended as soon as it has no answer to wait for.
 */
export function followAnswers(server: Server): Drain {
  const sockets = new Set<Socket>()
  const answers = new Set<ServerResponse>()
  const drained = new AbortController()
  let draining = false
  const settle = (): void => {
    if (!draining) return
    const busy = new Set([...answers].map((answer) => answer.req.socket))
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
    if (answers.size === 0) drained.abort()
  }
  const announceClose = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // First of all listeners: some answers are complete before the next one is called.
  server.prependListener('request', (_, response) => {
    answers.add(response)
    if (draining) announceClose(response)
    response.once('close', () => {
      answers.delete(response)
      settle()
    })
  })
  return async (graceMs) => {
    draining = true
    // close() of an HTTP server would destroy connections whose answer is written but has not left yet.
    NetServer.prototype.close.call(server)
    answers.forEach(announceClose)
    settle()
    await wait(graceMs, undefined, { signal: drained.signal }).catch(() => {})
  }
}
