import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type { QueueBoard } from '@corrigenda/core/queue'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { handleError } from '../../http/errors.ts'
import { refuseUnknownPath } from '../../http/refuse-unknown-path.ts'
import { buildBoardAdapter } from './board-adapter.ts'

/** Builds the application that serves the queue board under a path. It does not listen. */
export async function buildBoardApp(
  board: QueueBoard,
  { prefix, log }: { prefix: string; log: FastifyBaseLogger },
): Promise<FastifyInstance> {
  const { adapter, register } = buildBoardAdapter(`${prefix}/`)
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
  const app = fastify({ loggerInstance: log, logController: new LogController({ disableRequestLogging: true }) })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(refuseUnknownPath)
  app.addHook('onRequest', async () => {
    const queue = await board.current()
    if (queue === registered) return
    setQueues([new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })])
    registered = queue
  })
  await app.register(register, { prefix })
  await app.ready()
  return app
}
