import type { ModelProvider } from './model-provider.ts'

/**
 * Header that carries the key: `Authorization: Bearer`, `x-api-key` (common for gateways), both, or
 * none.
 */
type CredentialHeader = 'bearer' | 'x-api-key' | 'both' | 'none'

export interface AnthropicConnection {
  /** May be empty if `credentialHeader` is `none` or `authToken` is set. */
  readonly apiKey: string
  /** Token for `Authorization: Bearer`. If `apiKey` is also set, the key is sent as `x-api-key`. */
  readonly authToken?: string
  /** Default: `bearer`. */
  readonly credentialHeader?: CredentialHeader
  /** Origin of the Messages API, with an optional path prefix. */
  readonly baseUrl?: string
  /**
   * Headers sent with every request. They override the SDK's headers, for gateways that need extra
   * headers or a different API version.
   */
  readonly headers?: Readonly<Record<string, string>>
}

export const ANTHROPIC_URL = 'https://api.anthropic.com'

/**
 * Headers set by the SDK itself. Other headers that are not configured here come from the SDK's
 * environment variables and are dropped.
 */
const OWN_HEADERS = /^(accept|content-type|content-length|user-agent|anthropic-|x-stainless-|idempotency-key)/

/**
 * Builds a provider for the Messages API, or for a gateway or local server that implements it.
 * Credentials come only from the options.
 */
export function buildAnthropicProvider(connection: AnthropicConnection): ModelProvider {
  const { apiKey, authToken = '', baseUrl = ANTHROPIC_URL, headers = {} } = connection
  const ours = [...toCredentials(connection), ...Object.entries(headers)]
  return {
    streamType: 'text/event-stream',
    addressSetting: 'ANTHROPIC_BASE_URL',
    host: new URL(baseUrl).host,
    signsThinking: new URL(baseUrl).host === new URL(ANTHROPIC_URL).host,
    secrets: [apiKey, authToken, ...Object.values(headers)],
    toHeaders(given) {
      const sent = new Headers([...given].filter(([name]) => OWN_HEADERS.test(name)))
      for (const [name, value] of ours) sent.set(name, value)
      return sent
    },
    openClient: async ({ fetch, timeoutMs }) => {
      // Loaded at the first call, because an idle worker does not need it.
      const { default: Anthropic } = await import('@anthropic-ai/sdk')
      return new Anthropic({
        // `toHeaders` sets the credential headers. Without a key, the SDK would search for one
        // elsewhere.
        apiKey: apiKey || 'none',
        baseURL: baseUrl,
        maxRetries: 0,
        timeout: timeoutMs,
        openTelemetry: false,
        logLevel: 'off',
        webhookKey: null,
        fetch,
      })
    },
  }
}

function toCredentials({ apiKey, authToken, credentialHeader = 'bearer' }: AnthropicConnection): [string, string][] {
  if (credentialHeader === 'none') return []
  if (authToken) return [['authorization', `Bearer ${authToken}`], ...toKeyHeader(apiKey)]
  const bearer: [string, string][] = credentialHeader === 'x-api-key' ? [] : [['authorization', `Bearer ${apiKey}`]]
  return credentialHeader === 'bearer' ? bearer : [...bearer, ...toKeyHeader(apiKey)]
}

const toKeyHeader = (apiKey: string): [string, string][] => (apiKey === '' ? [] : [['x-api-key', apiKey]])
