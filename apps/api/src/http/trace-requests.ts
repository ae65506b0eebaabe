import { enterSpan, type Span, type Tracer } from '@corrigenda/core/tracing'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isProbe } from './is-probe.ts'

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
