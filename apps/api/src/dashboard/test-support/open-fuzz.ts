import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { z } from 'zod'
import { buildUserSessions } from '../../auth/build-user-sessions.ts'
import { buildGuard } from '../../auth/guard.ts'
import { anyText, anyThing, generateValue } from '../../contract-tests/test-support/generate-value.ts'
import type { Random } from '../../contract-tests/test-support/random.ts'
import type { ApiDeps } from '../../http/deps.ts'
import type { JsonSchema } from '../../public/openapi/openapi.ts'
import { dashboardRoutes } from '../dashboard-routes.ts'
import { collectRoutes, type RouteFacts } from './collect-routes.ts'

/**
 * Returns the dashboard's endpoints with their schemas. Excludes event streams, which do not end.
 */
export async function listDashboardRoutes(deps: ApiDeps): Promise<readonly RouteFacts[]> {
  const app = fastify()
  const collected = collectRoutes(app)
  await app.register(rateLimit, { global: false })
  const userSessions = buildUserSessions(deps)
  const guard = buildGuard(deps, { userSessions, limits: { admit: async () => {}, end: () => {} } })
  await app.register(dashboardRoutes, { deps, userSessions, guard })
  await app.close()
  return collected.take().filter(({ path }) => !path.endsWith('/events'))
}

/**
 * Builds a body for the route's schema, often with errors. Returns undefined for a request without
 * a body.
 * @param usual valid values by field name, for fields that refer to existing objects
 */
export function anyBody(
  random: Random,
  { body }: RouteFacts,
  usual: Readonly<Record<string, string>>,
): string | undefined {
  if (body === null) return random.chance(0.1) ? random.pick(['{}', 'null', '[1]', '{"a":']) : undefined
  if (random.chance(0.04)) return random.pick(['', '{', 'null', '[]', '{"__proto__":1}', '\u0000', '"x"'])
  const value = generateValue(random, toJson(body), (schema) => schema)
  for (const name of Object.keys(Object(value))) {
    const text = usual[name]
    if (text !== undefined && random.chance(0.7)) Object.assign(value as object, { [name]: text })
  }
  if (value instanceof Object && random.chance(0.4)) {
    const fields = value as Record<string, unknown>
    const name = random.pick([...Object.keys(fields), anyText(random)])
    if (random.chance(0.3)) delete fields[name]
    else fields[name] = anyThing(random)
  }
  return JSON.stringify(value)
}

export function anyQuery(random: Random, { query }: RouteFacts): string {
  const parts = Object.keys(query?.shape ?? {})
    .filter(() => random.chance(0.5))
    .map((name) => {
      const schema = toJson(query?.shape[name] as z.ZodType)
      const value = random.chance(0.6) ? generateValue(random, schema, (one) => one) : anyText(random)
      return `${name}=${encodeURIComponent(String(value).toWellFormed())}`
    })
  if (random.chance(0.03)) parts.push(random.pick(['%zz', 'a[b]=c', '__proto__=1', '=']))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const toJson = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-2020-12',
    reused: 'inline',
  }) as JsonSchema
