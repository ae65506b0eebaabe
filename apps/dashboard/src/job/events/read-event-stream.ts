/** What a stream of Server-Sent Events says: an event, or only that it is still there. */
export type StreamPart = { readonly kind: 'event'; readonly data: string } | { readonly kind: 'beat' }

/**
 * Reads a body of Server-Sent Events as it comes (WHATWG HTML, 9.2.6). Only `data` is kept: events of this service hold their own sequence number and
 * type. Every piece that arrives is told, at least as a beat.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamPart> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield { kind: 'beat' }
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
        else if (line === '' && data.length > 0) {
          yield { kind: 'event', data: data.join('\n') }
          data = []
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
