import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Sets `bodyHash` of the request. */
    hashesBody?: boolean
  }
  interface FastifyRequest {
    /** Hash of the bytes of the body in hexadecimal. Null on other routes, and without a body. */
    bodyHash: string | null
  }
}

/** The job endpoints. Some clients of the hosted API send JSON to them without its content type. */
const JOB_ROUTE = /^\/(?:v[12]\/agent|api\/agent\/v2)\//

/**
 * Accepts JSON bodies only. Rejects bytes that are not UTF-8, and keys that would change prototypes.
 * Job endpoints also accept JSON objects as plain text, or without a content type, if the request has
 * an `Authorization` header. A form of another site can send plain text with the session cookie, but
 * not this header.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const untyped = new WeakSet<FastifyRequest>()
  app.decorateRequest('bodyHash', null)
  app.addHook('onRequest', (request, _reply, done) => {
    if (isUntyped(request)) {
      untyped.add(request)
      request.raw.headers['content-type'] = 'application/json'
    }
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const code = untyped.has(request) ? 'FST_ERR_CTP_INVALID_MEDIA_TYPE' : 'FST_ERR_CTP_INVALID_JSON_BODY'
    // Many clients send a content type without a body.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined)
    let text: string
    try {
      text = decoder.decode(body as Buffer)
    } catch {
      return done(Object.assign(new Error('not UTF-8'), { code }))
    }
    if (request.routeOptions.config.hashesBody) request.bodyHash = createHash('sha256').update(body).digest('hex')
    parse(request, text, (error, value) => {
      if (error) return done(Object.assign(error, { code }))
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      if (untyped.has(request) && !isObject) return done(Object.assign(new Error('not an object'), { code }))
      done(null, value)
    })
  })
}

function isUntyped({ headers, routeOptions }: FastifyRequest): boolean {
  const type = headers['content-type']
  if (headers.authorization === undefined || !JOB_ROUTE.test(routeOptions.url ?? '')) return false
  if (type !== undefined) return /^text\/plain *(?:;|$)/i.test(type)
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
