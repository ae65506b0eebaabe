import type { DatabaseMonitor } from '@corrigenda/core/db'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How the route uses the database. Absent: its hooks and handler read the database, and are
     * aborted with a 503 if the database is down. `handler`: the handler also waits for other
     * resources, so it calls `monitor.run` itself for each database operation. `none`: the route
     * does not read the database and responds without it.
     */
    database?: 'none' | 'handler'
  }
}

/**
 * Responds with 503 to every request that reads the database while the database is down, or that is
 * in progress when the database goes down or the time limit expires. Waiting for a lock is not an
 * outage.
 * Must be called before the routes and other hooks that read the database are added.
 * @returns a function that ends the time limit of a request, which then waits for other things
 */
export function guardDatabase(app: FastifyInstance, monitor: DatabaseMonitor): (request: FastifyRequest) => void {
  const releases = new WeakMap<FastifyRequest, () => void>()

  const release = (request: FastifyRequest) => {
    releases.get(request)?.()
    releases.delete(request)
  }
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const stop = monitor.watch((error) => {
      // Event streams and responses whose headers have been sent are not interrupted.
      if (reply.sent || reply.raw.headersSent) return
      reply.send(error)
    })
    releases.set(request, stop)
  }

  app.decorateRequest('isHandled', false)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.database === 'none') return done()
    watch(request, reply)
    reply.raw.once('close', () => release(request))
    done()
  })
  // A slow upload does not count toward the timeout of the hooks or the handler.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    release(request)
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (!request.is404 && request.routeOptions.config.database === undefined) watch(request, reply)
    request.isHandled = true
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    release(request)
    done()
  })
  return release
}

/** Marks every route added to this plugin's scope as not reading the database. */
export function withoutDatabase(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, database: 'none' }
  })
}
