import type Anthropic from '@anthropic-ai/sdk'

export interface ModelTransport {
  readonly fetch: typeof globalThis.fetch
  /** Maximum time until the response headers arrive, in milliseconds. */
  readonly timeoutMs: number
}

/** The part of the SDK client that is used. The SDK clients for other platforms provide it too. */
export interface ModelClient {
  readonly messages: Pick<Anthropic['messages'], 'stream'>
}

/** Access to the Messages API on one host: URLs, credentials and wire format. */
export interface ModelProvider {
  /** Media type of a streamed response on the wire. */
  readonly streamType: string
  /** Name of the setting that holds the URL, for use in messages. */
  readonly addressSetting: string
  /** `host[:port]` that requests are sent to; null if the library chooses it. */
  readonly host: string | null
  /** Values that must not appear in messages. */
  readonly secrets: readonly string[]
  /** Returns the headers to send, given the SDK's headers. */
  toHeaders(given: Headers): Headers
  /** @throws ModelError when the package of the platform is not installed */
  openClient(transport: ModelTransport): Promise<ModelClient>
}
