import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends connections that have not sent a request when the server closes, and the others after their
 * requests in progress. Browsers and connection pools open connections in advance. Node.js counts
 * neither of them as idle, so the server would wait for them for more than a minute.
 */
export function closeConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1
    for (const socket of silent) socket.destroy()
    done()
  })
}
