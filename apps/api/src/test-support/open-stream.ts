import http from 'node:http'

interface StreamEvent {
  readonly id: number
  readonly event: string
  readonly data: { seq: number; type: string; createdAt: string; data: Record<string, unknown> }
}

export interface Stream {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Everything received so far. */
  readonly text: string
  readonly events: readonly StreamEvent[]
  /**
   * Resolves to true when the server ends the stream gracefully, or to false if the stream fails.
   */
  readonly ended: Promise<boolean>
  close(): void
}

/**
 * Opens a Server-Sent Events client that stores all received text. Resolves when the response
 * headers arrive.
 */
export function openStream(url: string, headers: Record<string, string>): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      url,
      { agent: false, headers: { accept: 'text/event-stream', ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        const ended = new Promise<boolean>((end) => {
          response.on('end', () => end(true)).on('error', () => end(false))
        })
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          get text() {
            return text
          },
          get events() {
            return parseEvents(text)
          },
          ended,
          close: () => request.destroy(),
        })
      },
    )
    request.on('error', reject)
  })
}

function parseEvents(text: string): StreamEvent[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.replace(/^\w*: ?/, '')]),
    )
    const data = fields.get('data')
    return data === undefined
      ? []
      : [{ id: Number(fields.get('id')), event: fields.get('event') ?? '', data: JSON.parse(data) }]
  })
}
