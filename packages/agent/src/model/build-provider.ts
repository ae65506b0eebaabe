import { type AnthropicConnection, buildAnthropicProvider } from './anthropic-provider.ts'
import type { ModelProvider } from './model-provider.ts'
import { type BedrockPlatform, loadPlatform, type Platform, type VertexPlatform } from './platform.ts'

export interface ModelConnection extends AnthropicConnection {
  /**
   * Platform that hosts the model, or null for the Messages API itself. If it is set, the inherited
   * key and base URL are ignored.
   */
  readonly platform?: Platform | null
}

export function buildProvider(connection: ModelConnection): ModelProvider {
  const { platform = null, headers = {} } = connection
  if (platform === null) return buildAnthropicProvider(connection)
  return platform.kind === 'bedrock' ? buildBedrockProvider(platform, headers) : buildVertexProvider(platform, headers)
}

const loadBedrock = () => import('@anthropic-ai/bedrock-sdk')

/**
 * Builds a provider for Claude on Amazon Bedrock. Requests are signed (SigV4) or carry a Bedrock
 * API key. Responses are AWS event streams.
 * @param headers extra headers to send and sign; `anthropic-version` is sent in the body
 * @param load loads the SDK package
 */
export function buildBedrockProvider(
  platform: BedrockPlatform,
  headers: Readonly<Record<string, string>>,
  load: typeof loadBedrock = loadBedrock,
): ModelProvider {
  const { region, baseUrl, apiKey, keys } = platform
  const address = baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`
  return {
    streamType: 'application/vnd.amazon.eventstream',
    addressSetting: 'ANTHROPIC_BEDROCK_BASE_URL',
    host: new URL(address).host,
    signsThinking: true,
    secrets: [apiKey ?? '', keys?.secret ?? '', keys?.sessionToken ?? '', ...Object.values(headers)],
    // The signature covers the headers, so they are sent unchanged.
    toHeaders: (given) => given,
    openClient: async ({ fetch, timeoutMs }) => {
      const { AnthropicBedrock } = await loadPlatform('bedrock', load)
      const settings = {
        awsRegion: region,
        baseURL: address,
        apiKey,
        defaultHeaders: headers,
        maxRetries: 0,
        timeout: timeoutMs,
        openTelemetry: false,
        logLevel: 'off',
        fetch,
      } as const
      return keys === null
        ? new AnthropicBedrock(settings)
        : new AnthropicBedrock({
            ...settings,
            awsAccessKey: keys.id,
            awsSecretKey: keys.secret,
            awsSessionToken: keys.sessionToken,
          })
    },
  }
}

const loadVertex = () => import('@anthropic-ai/vertex-sdk')

/**
 * Builds a provider for Claude on Google Vertex AI. The model is part of the URL. The bearer token
 * comes from the application default credentials.
 * @param headers extra headers to send; `anthropic-version` is sent in the body
 * @param load loads the SDK package
 */
export function buildVertexProvider(
  { region, projectId, baseUrl }: VertexPlatform,
  headers: Readonly<Record<string, string>>,
  load: typeof loadVertex = loadVertex,
): ModelProvider {
  return {
    streamType: 'text/event-stream',
    addressSetting: 'ANTHROPIC_VERTEX_BASE_URL',
    host: baseUrl === null ? null : new URL(baseUrl).host,
    signsThinking: true,
    secrets: Object.values(headers),
    toHeaders: (given) => given,
    openClient: async ({ fetch, timeoutMs }) => {
      const { AnthropicVertex } = await loadPlatform('vertex', load)
      return new AnthropicVertex({
        region,
        projectId,
        ...(baseUrl === null ? {} : { baseURL: baseUrl }),
        defaultHeaders: headers,
        maxRetries: 0,
        timeout: timeoutMs,
        openTelemetry: false,
        logLevel: 'off',
        fetch,
      })
    },
  }
}
