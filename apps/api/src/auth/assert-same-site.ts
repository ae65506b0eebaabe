import { AppError } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects cross-site requests that a browser sends with the session cookie. Browsers set the
 * `Sec-Fetch-Site` header, or at least `Origin`. A request with neither header is rejected.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 * @throws AppError `cross_site_request`
 */
export function assertSameSite(request: FastifyRequest, publicUrl: string): void {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(request, publicUrl) : site === 'same-origin') return
  throw new AppError(
    'cross_site_request',
    'This request did not come from the dashboard. Use the dashboard or an API key.',
  )
}

function isOwnOrigin({ headers: { origin, host } }: FastifyRequest, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const [from, own] = [new URL(origin), new URL(publicUrl)]
  // A page loaded without TLS can come from an attacker, even under the service's own host name.
  return from.origin === own.origin || (from.host === host && from.protocol === own.protocol)
}
