import { createParser } from 'eventsource-parser'

/** What a stream of Server-Sent Events says: an event, or only that it is still there. */
export type StreamPart = { readonly kind: 'event'; readonly data: string } | { readonly kind: 'beat' }

/**
 * Reads a body of Server-Sent Events as it arrives. Only `data` is kept: events of this service hold their own sequence
 * number and type. Every piece that arrives is a beat.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamPart> {
  const events: StreamPart[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push({ kind: 'event', data }) })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield { kind: 'beat' }
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
