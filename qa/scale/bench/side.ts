import type { RunningApi } from '@corrigenda/api'
import { loadApiConfig, startApi } from '@corrigenda/api'
import { type Database, openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { type Instance, SILENT, toApiEnv } from '../seed/seed-instance.ts'

export interface Answer {
  readonly headers: Headers
  readonly body: string
}

/** One of the two databases that the benchmark compares, with an API process's server on it. */
export interface Side extends Pick<Database, 'prisma' | 'pool'> {
  readonly name: 'small' | 'large'
  readonly instance: Instance
  readonly secrets: ReturnType<typeof deriveSecrets>
  /** Sends a request with the key of the first project. Fails for a status of 400 or more. */
  ask(route: string, options?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Answer>
  /** Sends a request with a session cookie. Fails for a status of 400 or more. */
  askAs(cookie: string, route: string, options?: { method?: string; body?: unknown }): Promise<Answer>
  close(): Promise<void>
}

export async function openSide(name: Side['name'], databaseUrl: string, instance: Instance): Promise<Side> {
  const api: RunningApi = await startApi(loadApiConfig(toApiEnv(databaseUrl, instance.secret)), SILENT)
  const database = openDatabase({ url: databaseUrl, maxConnections: 4, onError: () => {} })
  const send = async (
    route: string,
    input: { method?: string; body?: unknown; headers: Record<string, string> },
  ): Promise<Answer> => {
    const { method = 'GET', body, headers } = input
    const response = await fetch(`${api.url}${route}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = { headers: response.headers, body: await response.text() }
    if (response.status >= 400) throw new Error(`${method} ${route}: ${response.status} ${answer.body}`)
    return answer
  }
  return {
    name,
    instance,
    secrets: deriveSecrets(instance.secret),
    prisma: database.prisma,
    pool: database.pool,
    ask: (route, { headers, ...options } = {}) =>
      send(route, { ...options, headers: { authorization: `Bearer ${instance.key}`, ...headers } }),
    askAs: (cookie, route, options = {}) =>
      send(route, { ...options, headers: { cookie, 'sec-fetch-site': 'same-origin' } }),
    async close() {
      await api.close()
      await database.close()
    },
  }
}
