import { enterSpan, type Span, type Tracer } from '@corrigenda/core/tracing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the job that the request created, for the log. */
    createdJobId: string | null
  }
}

/**
 * Writes one line for each request, with everything needed to find it: its id, the client's address,
 * the project, the job, the status and the error code. It contains no query, header or body, which
 * can contain secrets and prompts.
 */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('createdJobId', null)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply
    const entry = toEntry(request, reply)
    if (status >= 500) request.log.warn(entry, 'request')
    else request.log[isProbe(request) && status === 200 ? 'debug' : 'info'](entry, 'request')
    done()
  })
}

function toEntry(request: FastifyRequest, reply: FastifyReply): Record<string, unknown> {
  const { method, routeOptions, ip } = request
  const { statusCode: status, elapsedTime } = reply
  const entry: Record<string, unknown> = { method, route: routeOptions.url ?? 'unknown', status }
  entry.ms = Math.round(elapsedTime)
  entry.ip = ip
  const { projectId, jobId, id } = (request.params ?? {}) as Record<string, unknown>
  if (isId(projectId)) entry.projectId = projectId
  const job = request.createdJobId ?? jobId ?? id
  if (isId(job) && job.startsWith('job_')) entry.jobId = job
  if (status >= 400) entry.code = reply.getHeader('x-error-code') ?? null
  return entry
}

/** Parameters are logged only if they are ids, because callers control the path. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[a-z]{2,4}_[0-9a-z]{26}$/.test(value)

/** Returns true for a health check, which orchestrators send every few seconds. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean => PROBES.has(routeOptions.url)

/**
 * Records a span for each request, which continues the trace of the caller (`traceparent`). The
 * span's attributes are the method, the route, the status, and the request id, but neither the path
 * nor the body. Without a tracer, no hook is added.
 * @returns a function that adds the hook for handlers, which must be the last one: an earlier hook
 * can wait, and continue in the context of another request
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer | null): () => void {
  if (tracer === null) return () => {}
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request)) return done()
    const { method, routeOptions, headers } = request
    const route = routeOptions.url ?? 'unknown'
    const { traceparent } = headers
    const span = tracer.start(`${method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: { 'http.request.method': method, 'http.route': route, 'corrigenda.request.id': request.id },
    })
    spans.set(request, span)
    request.log = request.log.child({ traceId: span.traceId })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    span?.end()
    done()
  })
  return () => {
    app.addHook('preHandler', (request, _reply, done) => {
      const span = spans.get(request)
      if (span === undefined) return done()
      enterSpan(span, done)
    })
  }
}
