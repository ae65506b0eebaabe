import { createParser } from 'eventsource-parser'

/** A part of a Server-Sent Events stream: an event, or a heartbeat. */
export type StreamPart = { readonly kind: 'event'; readonly data: string } | { readonly kind: 'beat' }

/**
 * Reads a body of Server-Sent Events as it arrives. Only `data` is used, because this service's
 * events contain their own sequence number and type. Every received chunk counts as a heartbeat.
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
    // Cancelling fails if the stream is broken, but a broken stream is already closed.
    await reader.cancel().catch(() => {})
  }
}
