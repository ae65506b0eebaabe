import { once } from '@corrigenda/core/base'
import type { QueueBoard } from '@corrigenda/core/queue'
import type { FastifyPluginAsync, onRequestAsyncHookHandler } from 'fastify'

const BOARD_PATH = '/ops/queues'

/**
 * Allows scripts from the board's own files only. Inline styles are allowed, because widgets set
 * them at run time.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of a response that belong to its connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/**
 * A read-only queue board (Bull Board) for admins. Job state is stored in Postgres, so removing
 * queue entries would have no effect. Pausing a queue here would not be visible elsewhere. The board
 * is an application of its own, which is loaded at the first request of an admin.
 * @param opts.requireAdmin rejects non-admins with a 404
 */
export const queueBoardRoutes: FastifyPluginAsync<{
  board: QueueBoard
  requireAdmin: onRequestAsyncHookHandler
}> = async (app, { board, requireAdmin }) => {
  const openBoard = once(async () => {
    const { buildBoardApp } = await import('./build-board-app.ts')
    return buildBoardApp(board, { prefix: BOARD_PATH, log: app.log })
  })
  app.addHook('onRequest', requireAdmin)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', POLICY)
    reply.header('referrer-policy', 'no-referrer')
    reply.header('cross-origin-opener-policy', 'same-origin')
    reply.header('cache-control', 'no-store')
  })
  for (const path of [BOARD_PATH, `${BOARD_PATH}/*`]) {
    app.get(path, async ({ url, headers }, reply) => {
      const inner = await openBoard()
      const response = await inner.inject({ method: 'GET', url, headers })
      for (const [name, value] of Object.entries(response.headers)) {
        if (value !== undefined && !OF_CONNECTION.has(name) && !reply.hasHeader(name)) reply.header(name, value)
      }
      return reply.code(response.statusCode).send(response.rawPayload)
    })
  }
}
