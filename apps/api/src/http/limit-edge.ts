import type { FastifyInstance } from 'fastify'

/**
 * Thrown when one IP address, API key or user sends too many requests. The message reveals nothing
 * about keys or projects.
 */
export class EdgeLimitError extends Error {
  readonly code = 'too_many_requests'
  constructor(
    readonly retryAfterSeconds: number,
    sender = 'from this IP address',
  ) {
    super(`Too many requests ${sender}. Try again later.`)
  }
}

/**
 * Limits requests per IP address per minute, before any other hook. The counts are in memory, so
 * the limit applies to this process only.
 */
export function limitEdge(app: FastifyInstance, max: number): void {
  const count = app.createRateLimit({ max, timeWindow: 60_000 })
  app.addHook('onRequest', async (request) => {
    const requests = await count(request)
    if (!requests.isAllowed && requests.isExceeded) throw new EdgeLimitError(requests.ttlInSeconds)
  })
}
