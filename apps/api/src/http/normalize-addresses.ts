import { toClientAddress } from '@corrigenda/core/keys'
import type { FastifyInstance } from 'fastify'

const FORWARDED_FOR = 'x-forwarded-for'

/**
 * Brings the client's address of each request into its canonical form, before any other hook reads
 * it. Address ranges of keys, limits, audit events and the log all use `request.ip`. The header is
 * normalized also, because the trusted proxies are compared with its entries.
 */
export function normalizeAddresses(app: FastifyInstance): void {
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
