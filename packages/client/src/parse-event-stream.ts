import { createParser } from 'eventsource-parser'

/** `retry`: milliseconds to wait before connecting again. `comment`: a sign of life. */
export type StreamPart =
  | { readonly kind: 'event'; readonly data: string }
  | { readonly kind: 'retry'; readonly ms: number }
  | { readonly kind: 'comment' }

/**
 * The parts of a body of Server-Sent Events. An event that the end of the stream cuts off is dropped.
 * @param silenceMs without a byte for so long, the connection counts as broken
 * @throws TypeError when it breaks
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

/** A peer that vanishes leaves a connection that is silent forever. */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('the stream fell silent')), silenceMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
