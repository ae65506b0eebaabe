import type Anthropic from '@anthropic-ai/sdk'

export interface ModelTransport {
  readonly fetch: typeof globalThis.fetch
  /** Longest time until the headers of the answer, in milliseconds. */
  readonly timeoutMs: number
}

/** What of the SDK's client is used; those for other platforms have it, too. */
export interface ModelClient {
  readonly messages: Pick<Anthropic['messages'], 'stream'>
}

/** How the Messages API is reached where a model is hosted: addresses, credentials and the form on the wire. */
export interface ModelProvider {
  /** Media type of a streamed answer as it comes over the wire. */
  readonly streamType: string
  /** The setting that holds the address, for messages. */
  readonly addressSetting: string
  /** `host[:port]` that is asked; null when the library decides. */
  readonly host: string | null
  /** Values that no message may repeat. */
  readonly secrets: readonly string[]
  /** The headers of a request as they go out, given those of the SDK. */
  toHeaders(given: Headers): Headers
  /** @throws ModelError when the package of the platform is not installed */
  openClient(transport: ModelTransport): Promise<ModelClient>
}
