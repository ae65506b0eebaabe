import { loadPlatform } from './load-platform.ts'
import type { ModelProvider } from './model-provider.ts'
import type { BedrockPlatform } from './platform.ts'

const loadPackage = () => import('@anthropic-ai/bedrock-sdk')

/**
 * Claude on Amazon Bedrock: requests are signed (SigV4) or carry a Bedrock API key, answers are AWS event streams.
 * @param headers sent with every request, signed with it; `anthropic-version` goes into the body
 * @param load where the package comes from
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
    secrets: [apiKey ?? '', keys?.secret ?? '', keys?.sessionToken ?? '', ...Object.values(headers)],
    // Signed as they are.
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
