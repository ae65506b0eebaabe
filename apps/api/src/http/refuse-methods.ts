import type { FastifyInstance, HTTPMethods } from 'fastify'
import { sendRefusal } from './errors.ts'

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

/**
 * Responds with 405 and `Allow` to unsupported methods on known paths. Must be called before the
 * routes are added. The returned function covers only the routes added before it is called.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = allowed.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    allowed.set(url, methods)
  })
  return () => {
    for (const [url, methods] of [...allowed]) {
      const others = METHODS.filter((name) => !methods.has(name))
      const allow = [...methods].sort().join(', ')
      app.route({
        method: others,
        url,
        exposeHeadRoute: false,
        config: { database: 'none' },
        // Responds before the body is read.
        onRequest: async (_request, reply) => {
          reply.header('allow', allow)
          return sendRefusal(reply, {
            status: 405,
            code: 'method_not_allowed',
            message: `This path supports only ${allow}.`,
          })
        },
        handler: async () => {},
      })
    }
  }
}
