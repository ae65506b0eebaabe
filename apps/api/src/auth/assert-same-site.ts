import { AppError } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what a page of another site makes a browser send with its cookies. Browsers say where a request comes from in `Sec-Fetch-Site`, or at
 * least in `Origin`; a client that says neither has no business with a session.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 * @throws AppError `cross_site_request`
 */
export function assertSameSite(request: FastifyRequest, publicUrl: string): void {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(request, publicUrl) : site === 'same-origin') return
  throw new AppError(
    'cross_site_request',
    'This request does not come from a page of the dashboard. Use the dashboard itself, or an API key.',
  )
}

function isOwnOrigin({ headers: { origin, host } }: FastifyRequest, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const [from, own] = [new URL(origin), new URL(publicUrl)]
  // A page that came without TLS may be anybody's, also under our own name.
  return from.origin === own.origin || (from.host === host && from.protocol === own.protocol)
}
