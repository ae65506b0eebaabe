import type { FastifyInstance, RouteOptions } from 'fastify'

/**
 * Collects the routes that are later added to this scope. The returned function builds the OpenAPI
 * document of these routes. It loads the library for that, which most processes never need.
 */
export function documentRoutes(app: FastifyInstance): () => Promise<object> {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  return async () => {
    const { buildDocument } = await import('./build-document.ts')
    return buildDocument(routes)
  }
}
