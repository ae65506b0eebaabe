import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/** A registered route with its request and response schemas. */
export interface RouteFacts {
  /** For example, `GET /v2/agent/{projectId}/job/{id}`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly params: z.ZodObject | null
  readonly query: z.ZodObject | null
  readonly body: z.ZodType | null
  /** Response schemas by status. */
  readonly responses: Readonly<Record<string, z.ZodType>>
}

/**
 * Records every route that is added until `end` is called. HEAD is implied by GET and not listed.
 */
export function collectRoutes(app: FastifyInstance): { take(): readonly RouteFacts[]; end(): void } {
  const routes: RouteFacts[] = []
  let done = false
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (done) return
    const path = url.replace(/:(\w+)/g, '{$1}')
    for (const verb of [method].flat()) {
      if (verb === 'HEAD') continue
      const { params, querystring, body, response } = schema ?? {}
      routes.push({
        name: `${verb} ${path}`,
        method: verb,
        path,
        params: toObject(params),
        query: toObject(querystring),
        body: body instanceof z.ZodType ? body : null,
        responses: toResponses(response),
      })
    }
  })
  return {
    take: () => routes,
    end: () => {
      done = true
    },
  }
}

const toObject = (schema: unknown): z.ZodObject | null => (schema instanceof z.ZodObject ? schema : null)

function toResponses(response: unknown): Record<string, z.ZodType> {
  const entries = Object.entries(response ?? {})
  return Object.fromEntries(entries.filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType))
}
