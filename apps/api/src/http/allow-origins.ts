import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route also accepts tokens for the job in its path, and pages of other origins may read its
     * responses. `query`: the token can also be the query parameter `token`. Absent: neither.
     */
    jobTokens?: 'header' | 'query'
  }
}

const PREFLIGHT_HEADERS = 'authorization, if-none-match, last-event-id'
const EXPOSED_HEADERS = 'etag, retry-after, x-error-code, x-request-id'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets pages of these origins read the routes for job tokens (CORS). Responses to requests with an API
 * key have no CORS headers, so that a page with a key does not work. Cookies are never allowed.
 *
 * Must be called before the hooks that read the Authorization header are added.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const paths = new Set<string | undefined>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.jobTokens) paths.add(url)
  })
  app.addHook('onRequest', async ({ headers, method, query, routeOptions }, reply) => {
    // Stored like a header, because authentication reads the header.
    const { token } = query as { token?: unknown }
    if (routeOptions.config.jobTokens === 'query' && !headers.authorization && /^cgj_/.test(String(token))) {
      headers.authorization = `Bearer ${token}`
    }
    if (origins.length === 0 || !paths.has(routeOptions.url)) return
    reply.header('vary', 'origin')
    const { origin = '', authorization = '' } = headers
    if (!origins.includes(origin) || /^bearer +cgd_/i.test(authorization)) return
    if (method === 'OPTIONS' && headers['access-control-request-method'] === 'GET') {
      return reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-methods', 'GET')
        .header('access-control-allow-headers', PREFLIGHT_HEADERS)
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .code(204)
        .send()
    }
    if (!routeOptions.config.jobTokens) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED_HEADERS)
  })
}
