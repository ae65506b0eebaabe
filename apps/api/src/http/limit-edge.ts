import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Minimum delay of the response to a request over the limit, in ms. The delays differ by up to the
 * same time, so that the next requests of many clients do not arrive together.
 */
const DELAY_MS = 250
/** Maximum number of responses that are delayed at the same time. Further ones are sent at once. */
const DELAYED = 1_000

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
 * the limit applies to this process only. The refusals are delayed, because clients that send the
 * next request as soon as one is refused would otherwise occupy the process.
 */
export function limitEdge(app: FastifyInstance, max: number): void {
  const count = app.createRateLimit({ max, timeWindow: 60_000 })
  let delayed = 0
  app.addHook('onRequest', async (request) => {
    const requests = await count(request)
    if (requests.isAllowed || !requests.isExceeded) return
    if (delayed < DELAYED) {
      delayed += 1
      await pause(DELAY_MS * (1 + Math.random()))
      delayed -= 1
    }
    throw new EdgeLimitError(requests.ttlInSeconds)
  })
}
