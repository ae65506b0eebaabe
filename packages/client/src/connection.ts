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
  /** Polling interval in milliseconds. */
  readonly pollMs: number
  /**
   * Client for requests that are safe to repeat, because they change nothing, are idempotent, or
   * have an Idempotency-Key.
   */
  readonly repeatable: Client
  /** Client for requests that must not be executed twice. */
  readonly once: Client
}

export interface CorrigendaOptions {
  /** Base URL of the API, such as https://corrigenda.example.com. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly projectId: string
  /** Replaces the global fetch, for proxies and tests. */
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
      // Following a redirect could send the key to another server.
      redirect: 'error',
      // The generated client requires this wider type, but always passes a Request.
      fetch: buildRetryFetch({ fetch, limits, repeatable }) as typeof globalThis.fetch,
      parseAs: 'json',
    })
  const [repeatable, once] = [buildHttp(true), buildHttp(false)]
  return { origin: new URL(baseUrl).origin, baseUrl, projectId, apiKey, fetch, limits, pollMs, repeatable, once }
}
