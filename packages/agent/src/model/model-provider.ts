import type Anthropic from '@anthropic-ai/sdk'

interface ModelTransport {
  readonly fetch: typeof globalThis.fetch
  /** Maximum time until the response headers arrive, in milliseconds. */
  readonly timeoutMs: number
}

/** The part of the SDK client that is used. The platform SDKs' clients also provide it. */
interface ModelClient {
  readonly messages: Pick<Anthropic['messages'], 'create'>
}

/** Access to the Messages API on one host: URLs, credentials and wire format. */
export interface ModelProvider {
  /** Media type of a streamed response on the wire. */
  readonly streamType: string
  /** Name of the URL setting, for use in messages. */
  readonly addressSetting: string
  /** `host[:port]` that receives the requests, or null if the library chooses it. */
  readonly host: string | null
  /** True if the host signs thinking and rejects thinking without a signature. */
  readonly signsThinking: boolean
  /** Values that must not appear in messages. */
  readonly secrets: readonly string[]
  /** Returns the headers to send, given the SDK's headers. */
  toHeaders(given: Headers): Headers
  /** @throws ModelError if the platform's package is not installed */
  openClient(transport: ModelTransport): Promise<ModelClient>
}
