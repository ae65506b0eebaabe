import http, { type IncomingHttpHeaders } from 'node:http'

/** One HTTP request of a tenant. */
export interface Ask {
  readonly method?: string
  readonly path: string
  /** Value of `Authorization: Bearer`. */
  readonly key?: string
  readonly cookie?: string
  readonly body?: unknown
  /** Sent instead of the JSON of `body`. */
  readonly raw?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** Loopback address of the sender, so that every tenant has an address of its own. */
  readonly from: string
  /** Aborts the request and destroys its connection. */
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body, or null if it is not JSON. */
  readonly json: unknown
}

export type Send = (ask: Ask) => Promise<Answer>

/** Headers that a browser sends from one of the service's pages. */
const BROWSER = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

/**
 * Returns a function that sends requests to one API process. Rejects if the connection breaks
 * before the response is complete.
 */
export function openSend(url: string): { send: Send; close: () => void } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 })
  const { hostname, port } = new URL(url)
  const send: Send = ({ method = 'GET', path, key, cookie, body, raw, headers, from, signal }) =>
    new Promise((resolve, reject) => {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
      const request = http.request(
        {
          agent,
          hostname,
          port,
          method,
          path,
          localAddress: from,
          family: 4,
          ...(signal && { signal }),
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(cookie !== undefined && { cookie, ...BROWSER }),
            ...(payload !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(payload),
            }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: toJson(text) })
          })
        },
      )
      request.on('error', reject)
      request.end(payload)
    })
  return { send, close: () => agent.destroy() }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
