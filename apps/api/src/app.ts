import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { buildAuthenticate, EdgeLimitError } from './auth/authenticate.ts'
import { buildPeople } from './auth/build-people.ts'
import { buildGate } from './auth/gate.ts'
import { connectRoutes } from './connect/connect-routes.ts'
import { peopleRoutes } from './dashboard/dashboard-routes.ts'
import { jobListRoutes } from './dashboard/jobs/job-list-routes.ts'
import { transcriptRoutes } from './dashboard/jobs/transcript-routes.ts'
import { opsRoutes } from './dashboard/ops/ops-routes.ts'
import { queueBoardRoutes } from './dashboard/ops/queue-board-routes.ts'
import { dashboardPages } from './dashboard/pages/dashboard-pages.ts'
import type { ApiDeps } from './http/deps.ts'
import { handleError, sendRefusal, toRefusal } from './http/errors.ts'
import { refuseOtherMethods } from './http/refuse-methods.ts'
import { VERSION } from './http/version.ts'
import { updateRoutes } from './public/deployments/updates.ts'
import { agentJobEventRoutes } from './public/events/agent-job-events.ts'
import { githubWebhookRoutes } from './public/github/github-webhook.ts'
import { buildListWebhookSecrets } from './public/github/list-webhook-secrets.ts'
import { agentJobChangeRoutes } from './public/jobs/agent-job-changes.ts'
import { agentJobMessageRoutes } from './public/jobs/agent-job-messages.ts'
import { agentJobRoutes } from './public/jobs/agent-jobs.ts'
import { mcpRoutes } from './public/mcp/mcp.ts'
import { buildDocument } from './public/openapi/build-document.ts'
import { collectRoutes } from './public/openapi/collect-routes.ts'
import { ALL_DOCS } from './public/openapi/operations/all-docs.ts'
import { referenceRoutes } from './public/reference/reference.ts'
import { healthRoutes } from './public/service/health.ts'
import { meRoutes } from './public/service/me.ts'
import { webhookRoutes } from './public/webhooks/webhooks.ts'

const BODY_LIMIT = 1_048_576
const YEAR_SECONDS = 31_536_000

/** Builds the HTTP application. Opens nothing itself: the caller listens and closes. */
export async function buildApp(deps: ApiDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: deps.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: (raw) => toRequestId(raw.headers['x-request-id']),
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      return sendRefusal(reply, toRefusal(error))
    },
    clientErrorHandler: refuseBrokenRequest,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, request, reply) =>
    error instanceof EdgeLimitError
      ? sendRefusal(reply, {
          status: 429,
          code: error.code,
          message: error.message,
          retryAfterSeconds: error.retryAfterSeconds,
        })
      : handleError(error, request, reply),
  )
  acceptOnlyJson(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (deps.publicUrl.startsWith('https:')) reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const entry = {
      method,
      route: routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    // Orchestrators ask every few seconds.
    const isProbe = routeOptions.url === '/healthz' || routeOptions.url === '/readyz'
    request.log[isProbe && reply.statusCode === 200 ? 'debug' : 'info'](entry, 'request')
  })
  await app.register(rateLimit, { global: false })
  limitEdge(app, deps.edgeRateLimit)
  const refuseMethods = refuseOtherMethods(app)
  const documented = collectRoutes(app)
  const people = buildPeople(deps)
  const authenticate = buildAuthenticate(app, deps, people)
  const gate = buildGate(deps, people)
  await app.register(healthRoutes, { deps })
  await app.register(agentJobRoutes, { deps, authenticate })
  await app.register(agentJobMessageRoutes, { deps, authenticate })
  await app.register(mcpRoutes, { deps, authenticate })
  await app.register(githubWebhookRoutes, { deps, listSecrets: buildListWebhookSecrets(deps) })
  await app.register(agentJobEventRoutes, { deps, authenticate })
  await app.register(agentJobChangeRoutes, { deps, authenticate })
  await app.register(meRoutes, { deps, authenticate })
  await app.register(updateRoutes, { deps, authenticate })
  await app.register(webhookRoutes, { deps, authenticate })
  await app.register(referenceRoutes, {
    buildDocument: () => buildDocument({ routes: documented.take(), docs: ALL_DOCS, version: VERSION }),
  })
  documented.end()
  await app.register(peopleRoutes, { deps, people, gate })
  await app.register(connectRoutes, { deps, gate })
  await app.register(jobListRoutes, { deps, gate })
  await app.register(transcriptRoutes, { deps, access: gate.role('viewer') })
  await app.register(opsRoutes, { deps, requireOperator: gate.operator, requireViewer: gate.role('viewer') })
  if (deps.dashboardDir !== null) await app.register(dashboardPages, { dir: deps.dashboardDir })
  refuseMethods()
  if (deps.board) await app.register(queueBoardRoutes, { board: deps.board, requireOperator: gate.operatorPage })
  app.setNotFoundHandler((_request, reply) =>
    sendRefusal(reply, { status: 404, code: 'unknown_path', message: 'There is nothing at this path.' }),
  )
  return app
}

/** Per address, over everything, before anything else is looked at. In memory: it protects this process and needs no other. */
function limitEdge(app: FastifyInstance, max: number): void {
  const count = app.createRateLimit({ max, timeWindow: 60_000 })
  app.addHook('onRequest', async (request) => {
    const requests = await count(request)
    if (!requests.isAllowed && requests.isExceeded) throw new EdgeLimitError(requests.ttlInSeconds)
  })
}

/** One media type; bytes that are not UTF-8 and keys that would touch prototypes are refused. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients name the media type of a body they do not send.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined)
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer)
    } catch {
      return done(Object.assign(new Error('not UTF-8'), { code: 'FST_ERR_CTP_INVALID_JSON_BODY' }))
    }
    parse(request, text, (error, value) =>
      error ? done(Object.assign(error, { code: 'FST_ERR_CTP_INVALID_JSON_BODY' })) : done(null, value),
    )
  })
}

/** A caller's own id when it is harmless in a log, else a new one. */
function toRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
}

/** What is not HTTP at all still gets a JSON answer. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({
    error: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
  })
  const code = tooLarge ? 'headers_too_large' : 'invalid_request'
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nX-Error-Code: ${code}\r\nConnection: close\r\n\r\n${body}`,
  )
}
