import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type { QueueBoard } from '@corrigenda/core/queue'
import type { FastifyPluginAsync, onRequestAsyncHookHandler } from 'fastify'
import { buildBoardAdapter } from './board-adapter.ts'

export const BOARD_PATH = '/ops/queues'

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

/**
 * A read-only queue board (Bull Board) for admins. Job state is stored in Postgres, so removing
 * queue entries would have no effect. Pausing a queue here would not be visible elsewhere.
 * @param opts.requireAdmin rejects non-admins with a 404
 */
export const queueBoardRoutes: FastifyPluginAsync<{
  board: QueueBoard
  requireAdmin: onRequestAsyncHookHandler
}> = async (app, { board, requireAdmin }) => {
  const { adapter, register } = buildBoardAdapter(`${BOARD_PATH}/`)
  let registered: unknown = null
  const { setQueues } = createBullBoard({
    queues: [],
    serverAdapter: adapter,
    options: {
      uiConfig: {
        boardTitle: 'Corrigenda queue',
        hideRedisDetails: false,
        environment: { label: board.backend, color: '#145ec1' },
      },
    },
  })
  await app.register(
    async (below) => {
      below.addHook('onRequest', requireAdmin)
      below.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', POLICY)
        reply.header('referrer-policy', 'no-referrer')
        reply.header('cross-origin-opener-policy', 'same-origin')
        reply.header('cache-control', 'no-store')
        const queue = board.current()
        if (queue === registered) return
        setQueues([new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })])
        registered = queue
      })
      await register(below)
    },
    { prefix: BOARD_PATH },
  )
}
