import http from 'node:http'

export interface Sent {
  readonly method: string
  /** Path and query, sent unchanged. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends a request with `node:http`, because `fetch` would normalize the path. Reads only the first
 * block of a stream, because a stream may never end.
 */
export function send(origin: string, { method, path, headers, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  // Node omits Content-Length for methods that usually have no body, such as DELETE.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers: { ...headers, ...length }, agent: false })
    request.on('error', reject)
    request.setTimeout(20_000, () => request.destroy(new Error(`no response: ${method} ${path.slice(0, 200)}`)))
    request.on('response', (response) => {
      let text = ''
      const finish = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        if (!response.headers['content-type']?.startsWith('text/event-stream') || !text.includes('\n\n')) return
        finish()
        request.destroy()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    request.end(body)
  })
}
