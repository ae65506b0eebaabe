import { createClient } from './generated/client/client.gen.ts'
import type { Client } from './generated/client/index.ts'
import { buildRetryFetch, type Fetch, type RetryLimits } from './retry-fetch.ts'

export interface Connection {
  readonly origin: string
  readonly baseUrl: string
  readonly projectId: string
  readonly apiKey: string
  readonly fetch: Fetch
  readonly limits: RetryLimits
  /** Milliseconds between two looks at something that is waited for. */
  readonly pollMs: number
  /** Sends what may be sent twice: it changes nothing, says so itself, or carries an Idempotency-Key. */
  readonly repeatable: Client
  /** Sends what must not be carried out twice. */
  readonly once: Client
}

export interface CorrigendaOptions {
  /** Where the API answers, such as https://corrigenda.example.com. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly projectId: string
  /** In place of the global one, for proxies and tests. */
  readonly fetch?: Fetch
  readonly retries?: Partial<RetryLimits>
  readonly pollMs?: number
}

export function buildConnection(options: CorrigendaOptions): Connection {
  const { apiKey, projectId, fetch = (request) => globalThis.fetch(request), pollMs = 2000 } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const defaults: RetryLimits = { maxAttempts: 4, maxDelayMs: 30_000, silenceMs: 60_000, maxOutageMs: 120_000 }
  const limits = { ...defaults, ...options.retries }
  const buildHttp = (repeatable: boolean) =>
    createClient({
      baseUrl,
      auth: () => apiKey,
      // A redirect would take the key elsewhere.
      redirect: 'error',
      // The generated layer asks for the wider type and calls it with a Request.
      fetch: buildRetryFetch({ fetch, limits, repeatable }) as typeof globalThis.fetch,
      parseAs: 'json',
    })
  const [repeatable, once] = [buildHttp(true), buildHttp(false)]
  return { origin: new URL(baseUrl).origin, baseUrl, projectId, apiKey, fetch, limits, pollMs, repeatable, once }
}
