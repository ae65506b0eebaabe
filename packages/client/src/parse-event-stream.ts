import { createParser } from 'eventsource-parser'

/**
 * An item of an event stream: an event, a reconnection delay in milliseconds (`retry`) or a
 * heartbeat (`comment`).
 */
type StreamPart =
  | { readonly kind: 'event'; readonly data: string }
  | { readonly kind: 'retry'; readonly ms: number }
  | { readonly kind: 'comment' }

/**
 * Yields the items of a Server-Sent Events body. Drops an incomplete event at the end of the
 * stream.
 * @param silenceMs milliseconds without data after which the connection counts as broken
 * @throws TypeError when the connection breaks
 */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<StreamPart> {
  const parts: StreamPart[] = []
  const parser = createParser({
    onEvent: ({ data }) => parts.push({ kind: 'event', data }),
    onRetry: (ms) => parts.push({ kind: 'retry', ms }),
    onComment: () => parts.push({ kind: 'comment' }),
  })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, silenceMs)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* parts.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/**
 * Reads with a timeout, because a connection whose peer has disappeared stays silent indefinitely.
 */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('the stream sent no data in time')), silenceMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
