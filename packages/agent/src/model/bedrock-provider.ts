import { loadPlatform } from './load-platform.ts'
import type { ModelProvider } from './model-provider.ts'
import type { BedrockPlatform } from './platform.ts'

const loadPackage = () => import('@anthropic-ai/bedrock-sdk')

/**
 * Builds a provider for Claude on Amazon Bedrock. Requests are signed (SigV4) or carry a Bedrock
 * API key. Responses are AWS event streams.
 * @param headers extra headers to send and sign; `anthropic-version` is sent in the body
 * @param load loads the SDK package
 */
export function buildBedrockProvider(
  platform: BedrockPlatform,
  headers: Readonly<Record<string, string>>,
  load: typeof loadPackage = loadPackage,
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
