import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/dist/types.js'
import type { QueueBoard } from '@corrigenda/core/queue'
import fastifyStatic from '@fastify/static'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { handleError } from '../../http/errors.ts'
import { refuseUnknownPath } from '../../http/refuse-requests.ts'

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

/**
 * Serves the Bull Board user interface under a prefix: its page, its files and its read-only
 * endpoints. The official Fastify adapter is not used, because it renders the page with inline
 * styles and a link to external fonts, and exposes write endpoints.
 */
function buildBoardAdapter(prefix: string) {
  let queues: BullBoardQueues = new Map()
  let config: UIConfig = {}
  let files = { route: '/static', dir: '' }
  let views = ''
  let entry: AppViewRoute | null = null
  let calls: AppControllerRoute[] = []
  const adapter: IServerAdapter = {
    setQueues: (value) => keep(() => (queues = value)),
    setViewsPath: (value) => keep(() => (views = value)),
    setStaticPath: (route, dir) => keep(() => (files = { route, dir })),
    setEntryRoute: (value) => keep(() => (entry = value)),
    // The service's own error handler is used, because the board's handler returns the stack trace.
    setErrorHandler: () => adapter,
    setApiRoutes: (value) => keep(() => (calls = value)),
    setUIConfig: (value) => keep(() => (config = value)),
  }
  const keep = (set: () => void): IServerAdapter => {
    set()
    return adapter
  }

  const register = async (app: FastifyInstance): Promise<void> => {
    if (!entry) throw new Error('The board has no page.')
    const { name, params } = entry.handler({ basePath: prefix, uiConfig: config })
    const page = toBoardPage(readFileSync(path.join(views, name), 'utf8'), params)
    await app.register(fastifyStatic, { root: files.dir, prefix: files.route, decorateReply: false, index: false })
    for (const url of [entry.route].flat()) {
      app.get(url, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    }
    for (const call of calls.filter(({ method }) => [method].flat().every((one) => one === 'get'))) {
      for (const url of [call.route].flat()) {
        app.get(url, async (request, reply) => {
          const { params: given, query, headers } = request
          const response = await call.handler({
            queues,
            uiConfig: config,
            params: given as Record<string, string>,
            query: query as Record<string, string>,
            headers: headers as Record<string, string | undefined>,
            body: {},
          })
          return reply.code(response.status ?? 200).send(response.body)
        })
      }
    }
  }
  return { adapter, register }
}

/**
 * Renders the board's page from its template. Removes the parts that a strict content security
 * policy blocks: the link to external fonts, and inline styles.
 * @param template HTML with `<%= name %>` and `<%- name %>` (unescaped) placeholders
 */
export function toBoardPage(template: string, values: Readonly<Record<string, unknown>>): string {
  const filled = template.replace(/<%([=-])\s*(\w+)\s*%>/g, (_all, kind: string, name: string) => {
    const text = String(values[name] ?? '')
    return kind === '=' ? escapeHtml(text) : text
  })
  return filled
    .replace(/<link\b[^>]*\bhref="(?:https?:)?\/\/[^>]*>/g, '')
    .replace(/<style\b[\s\S]*?<\/style>/g, '')
    .replace(/ style="[^"]*"/g, '')
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
