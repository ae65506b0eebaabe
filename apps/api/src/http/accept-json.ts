import type { FastifyInstance } from 'fastify'

/**
 * Accepts JSON bodies only. Rejects bytes that are not UTF-8, and keys that would change
 * prototypes.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients send a content type without a body.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined)
    let text: string
    try {
      text = decoder.decode(body as Buffer)
    } catch {
      return done(Object.assign(new Error('not UTF-8'), { code: 'FST_ERR_CTP_INVALID_JSON_BODY' }))
    }
    parse(request, text, (error, value) =>
      error ? done(Object.assign(error, { code: 'FST_ERR_CTP_INVALID_JSON_BODY' })) : done(null, value),
    )
  })
}
