import { AppError } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects cross-site requests that a browser sends with the session cookie. Browsers set the
 * `Sec-Fetch-Site` header, or at least `Origin`. A request with neither header is rejected. `Origin` is
 * compared with the public URL only: a DNS name of another site can resolve to this server, and then
 * `Host` contains that name.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 * @throws AppError `cross_site_request`
 */
export function assertSameSite(request: FastifyRequest, publicUrl: string): void {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(request.headers.origin, publicUrl) : site === 'same-origin') return
  throw new AppError(
    'cross_site_request',
    'This request did not come from the dashboard. Use the dashboard or an API key.',
  )
}

const isOwnOrigin = (origin: string | undefined, publicUrl: string): boolean =>
  origin !== undefined && URL.canParse(origin) && new URL(origin).origin === new URL(publicUrl).origin
