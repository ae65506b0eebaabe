import type { DatabaseMonitor } from '@corrigenda/core/db'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How the route uses the database. Absent: its hooks and its handler read it, and are cut off with a 503 when it is
     * down. `handler`: the handler also waits for other things, so it calls `monitor.run` itself for each read. `none`:
     * the route does not read it and answers without it.
     */
    database?: 'none' | 'handler'
  }
}

/**
 * Answers 503 `service_unavailable` to every request that reads the database while it is down, also when it goes down
 * or stops answering during the request. Call it before the routes and other hooks that read the database are added.
 */
export function guardDatabase(app: FastifyInstance, monitor: DatabaseMonitor): void {
  const releases = new WeakMap<FastifyRequest, () => void>()

  const release = (request: FastifyRequest) => {
    releases.get(request)?.()
    releases.delete(request)
  }
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const stop = monitor.watch((error) => {
      // An event stream, or an answer whose head is written, ends in its own way.
      if (!reply.sent && !reply.raw.headersSent) reply.send(error)
    })
    releases.set(request, stop)
  }

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.database === 'none') return
    watch(request, reply)
    reply.raw.once('close', () => release(request))
  })
  // A slow upload does not count against the limit of the hooks or of the handler.
  app.addHook('preParsing', async (request) => release(request))
  app.addHook('preHandler', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.database !== undefined) return
    watch(request, reply)
  })
  app.addHook('onResponse', async (request) => release(request))
}

/** Marks every route that is added to this plugin's scope as one that does not read the database. */
export function withoutDatabase(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, database: 'none' }
  })
}
