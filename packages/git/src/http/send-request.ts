import http from 'node:http'
import https from 'node:https'
import { GitHttpError } from './git-http-error.ts'

/**
 * Connection pools for Git hosts, kept open between requests. They must not have a timeout: Node's
 * global agents close a connection after five idle seconds, even if the server is still preparing
 * the response.
 */
export interface GitAgents {
  readonly http: http.Agent
  readonly https: https.Agent
}

/** Deadlines in milliseconds. */
export interface GitDeadlines {
  /** Limit for the DNS lookup and the TCP and TLS handshakes. */
  readonly connectMs: number
  /** Limit for the time without data in either direction. */
  readonly idleMs: number
  /** Limit for the whole request, including the response. */
  readonly totalMs: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface HttpQuestion {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: Uint8Array
  readonly agents: GitAgents
  readonly deadlines: GitDeadlines
  /** Maximum size in bytes of the response body. A larger body throws `too_large`. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

const POOL = { keepAlive: true, maxSockets: 16, maxFreeSockets: 4 }

export function buildGitAgents(): GitAgents {
  return { http: new http.Agent(POOL), https: new https.Agent(POOL) }
}

/**
 * Sends one request and reads the whole response. Does not follow redirects or retry.
 * @throws {GitHttpError} `timeout`, `network`, `too_large`, `aborted`
 */
export function sendRequest(input: HttpQuestion): Promise<HttpAnswer> {
  const { url, deadlines, signal } = input
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(aborted())
      return
    }
    const request = (secure ? https : http).request(url, {
      method: input.method,
      headers: input.headers,
      agent: secure ? input.agents.https : input.agents.http,
    })
    const fail = (error: GitHttpError) => {
      cleanUp()
      reject(error)
      request.destroy()
    }
    const onAbort = () => fail(aborted())
    const connectTimer = setTimeout(
      () => fail(new GitHttpError('timeout', `The Git host ${url.host} could not be reached in time.`)),
      deadlines.connectMs,
    )
    const totalTimer = setTimeout(
      () => fail(new GitHttpError('timeout', `The Git host ${url.host} took too long to respond.`)),
      deadlines.totalMs,
    )
    const cleanUp = () => {
      clearTimeout(connectTimer)
      clearTimeout(totalTimer)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort, { once: true })

    request.on('socket', (socket) => {
      if (!socket.connecting) clearTimeout(connectTimer)
      else socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connectTimer))
    })
    request.setTimeout(deadlines.idleMs, () =>
      fail(new GitHttpError('timeout', `The Git host ${url.host} stopped responding.`)),
    )
    request.on('error', (error) => fail(toNetworkError(url, error)))
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > input.maxBytes) {
          fail(new GitHttpError('too_large', `The Git host sent more than ${input.maxBytes} bytes.`))
          return
        }
        chunks.push(chunk)
      })
      response.on('error', (error) => fail(toNetworkError(url, error)))
      response.on('close', () => {
        if (!response.complete) fail(new GitHttpError('network', "The Git host's response was cut off."))
      })
      response.on('end', () => {
        if (!response.complete) return
        cleanUp()
        resolve({
          status: response.statusCode ?? 0,
          headers: toPlainHeaders(response.headers),
          body: Buffer.concat(chunks, size),
        })
      })
    })
    request.end(input.body)
  })
}

function aborted(): GitHttpError {
  return new GitHttpError('aborted', 'The request to the Git host was aborted.')
}

function toNetworkError(url: URL, error: Error): GitHttpError {
  const code = (error as NodeJS.ErrnoException).code
  return new GitHttpError('network', `The Git host ${url.host} could not be reached${code ? ` (${code})` : ''}.`)
}

function toPlainHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}
