import { loadPlatform } from './load-platform.ts'
import type { ModelProvider } from './model-provider.ts'
import type { VertexPlatform } from './platform.ts'

const loadPackage = () => import('@anthropic-ai/vertex-sdk')

/**
 * Builds a provider for Claude on Google Vertex AI. The model is part of the URL. The bearer token
 * comes from the application default credentials.
 * @param headers extra headers to send; `anthropic-version` is sent in the body
 * @param load loads the SDK package
 */
export function buildVertexProvider(
  { region, projectId, baseUrl }: VertexPlatform,
  headers: Readonly<Record<string, string>>,
  load: typeof loadPackage = loadPackage,
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
