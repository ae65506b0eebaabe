import Anthropic from '@anthropic-ai/sdk'
import type { ModelProvider } from './model-provider.ts'

/** The header that carries the key: `Authorization: Bearer`, `x-api-key` as gateways often want it, both, or none at all. */
export type CredentialHeader = 'bearer' | 'x-api-key' | 'both' | 'none'

export interface AnthropicConnection {
  /** May be empty where `credentialHeader` is `none` or there is an `authToken`. */
  readonly apiKey: string
  /** A token for `Authorization: Bearer`; a key beside it goes into `x-api-key`. */
  readonly authToken?: string
  /** Default: `bearer`. */
  readonly credentialHeader?: CredentialHeader
  /** Origin (and path prefix) of the Messages API. */
  readonly baseUrl?: string
  /** Sent with every request, over the SDK's own: for gateways that want more, or another API version. */
  readonly headers?: Readonly<Record<string, string>>
}

export const ANTHROPIC_URL = 'https://api.anthropic.com'

/** Headers the SDK itself sends; anything else that is not configured here comes from its environment variables and is dropped. */
const OWN_HEADERS = /^(accept|content-type|content-length|user-agent|anthropic-|x-stainless-|idempotency-key)/

/** The Messages API itself, or a gateway or a local server that speaks it. Credentials come from the options alone. */
export function buildAnthropicProvider(connection: AnthropicConnection): ModelProvider {
  const { apiKey, authToken = '', baseUrl = ANTHROPIC_URL, headers = {} } = connection
  const ours = [...toCredentials(connection), ...Object.entries(headers)]
  return {
    streamType: 'text/event-stream',
    addressSetting: 'ANTHROPIC_BASE_URL',
    host: new URL(baseUrl).host,
    secrets: [apiKey, authToken, ...Object.values(headers)],
    toHeaders(given) {
      const sent = new Headers([...given].filter(([name]) => OWN_HEADERS.test(name)))
      for (const [name, value] of ours) sent.set(name, value)
      return sent
    },
    openClient: async ({ fetch, timeoutMs }) =>
      new Anthropic({
        // Headers are ours to set; without any key the SDK would look for one elsewhere.
        apiKey: apiKey || 'none',
        baseURL: baseUrl,
        maxRetries: 0,
        timeout: timeoutMs,
        openTelemetry: false,
        logLevel: 'off',
        webhookKey: null,
        fetch,
      }),
  }
}

function toCredentials({ apiKey, authToken, credentialHeader = 'bearer' }: AnthropicConnection): [string, string][] {
  if (credentialHeader === 'none') return []
  if (authToken) return [['authorization', `Bearer ${authToken}`], ...toKeyHeader(apiKey)]
  const bearer: [string, string][] = credentialHeader === 'x-api-key' ? [] : [['authorization', `Bearer ${apiKey}`]]
  return credentialHeader === 'bearer' ? bearer : [...bearer, ...toKeyHeader(apiKey)]
}

const toKeyHeader = (apiKey: string): [string, string][] => (apiKey === '' ? [] : [['x-api-key', apiKey]])
