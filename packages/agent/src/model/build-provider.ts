import { type AnthropicConnection, buildAnthropicProvider } from './anthropic-provider.ts'
import { buildBedrockProvider } from './bedrock-provider.ts'
import type { ModelProvider } from './model-provider.ts'
import type { Platform } from './platform.ts'
import { buildVertexProvider } from './vertex-provider.ts'

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
