import { randomUUID } from 'node:crypto'
import { toClientAddress } from '@corrigenda/core/keys'
import type { Histogram } from '@corrigenda/core/metrics'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { acceptJson } from './accept-json.ts'
import { allowOrigins } from './allow-origins.ts'
import { closeConnections } from './close-connections.ts'
import type { ApiDeps } from './deps.ts'
import { drainUploads } from './drain-uploads.ts'
import { handleError, sendRefusal, toRefusal } from './errors.ts'
import { guardDatabase } from './guard-database.ts'
import { limitRequests, type RequestLimits } from './limit-requests.ts'
import { logRequests, traceRequests } from './log-requests.ts'
import { refuseBrokenRequest, refuseUnknownPath } from './refuse-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Ends the request's time limit and its part of the limit of its caller. Called before a response
     * that stays open, and before a wait for something other than the database.
     */
    detach(): void
  }
}

const BODY_LIMIT = 1_048_576
const YEAR_SECONDS = 31_536_000

/** Builds the HTTP server without routes: parsers, error handler, limits and the shared hooks. */
export async function buildServer(deps: ApiDeps): Promise<{ app: FastifyInstance; limits: RequestLimits }> {
  const loggerInstance: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: deps.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: (raw) => toRequestId(raw.headers['x-request-id']),
    requestTimeout: 30_000,
    routerOptions: { ignoreTrailingSlash: true },
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
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(refuseUnknownPath)
  normalizeAddresses(app)
  acceptJson(app)
  setHeaders(app, deps.publicUrl)
  const enterTrace = traceRequests(app, deps.tracer)
  logRequests(app)
  closeConnections(app)
  if (deps.requestDurations !== null) countRequests(app, deps.requestDurations)
  await app.register(rateLimit, { global: false })
  const limits = limitRequests(app, { address: deps.edgeRateLimit, caller: deps.callerRateLimit })
  allowOrigins(app, deps.corsOrigins)
  const endGuard = guardDatabase(app, deps.monitor)
  app.decorateRequest('detach', function (this: FastifyRequest) {
    limits.end(this)
    endGuard(this)
  })
  // After the limits, because a client is not asked for the body of a request that is refused.
  drainUploads(app)
  enterTrace()
  return { app, limits }
}

function countRequests(app: FastifyInstance, durations: Pick<Histogram, 'observe'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions
    // The paths and methods of requests without a route have no limit.
    const [method, route] = url === undefined ? ['any', 'unknown'] : [request.method, url]
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

function setHeaders(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (publicUrl.startsWith('https:')) reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    done()
  })
}

/** Returns the caller's request id if it is safe to log, otherwise a new one. */
function toRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) ? header : randomUUID()
}

const FORWARDED_FOR = 'x-forwarded-for'

/**
 * Brings the client's address of each request into its canonical form, before any other hook reads
 * it. Address ranges of keys, limits, audit events and the log all use `request.ip`. The header is
 * normalized also, because the trusted proxies are compared with its entries.
 */
function normalizeAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    const forwarded = headers[FORWARDED_FOR]
    if (typeof forwarded === 'string')
      headers[FORWARDED_FOR] = forwarded
        .split(',')
        .map((entry) => toClientAddress(entry.trim()))
        .join(', ')
    const ip = toClientAddress(request.ip ?? '')
    Object.defineProperty(request, 'ip', { value: ip, enumerable: true })
    done()
  })
}
