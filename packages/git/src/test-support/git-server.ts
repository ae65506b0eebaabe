import { spawn } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

interface SeenRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly authorization: string | null
  readonly protocol: string | null
  readonly bytesIn: number
  bytesOut: number
}

/** The backend's response. A fault hook may change or drop it. */
export interface CgiAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface Fault {
  /** Responds instead of git. Returns true if it handled the response. */
  before?(request: http.IncomingMessage, response: http.ServerResponse, body: Buffer): boolean | Promise<boolean>
  /** Inspects or changes git's response. Returns true if it handled the response. */
  after?(request: http.IncomingMessage, response: http.ServerResponse, answer: CgiAnswer): boolean | Promise<boolean>
}

export interface GitServer extends AsyncDisposable {
  readonly origin: string
  readonly requests: SeenRequest[]
  /** The active fault, or null for normal operation. */
  fault: Fault | null
  url(repository: string): string
  close(): Promise<void>
}

/** Serves real git over smart HTTP on loopback, with `git http-backend` behind a CGI bridge. */
export async function startGitServer(root: string, options: { token?: string } = {}): Promise<GitServer> {
  const requests: SeenRequest[] = []
  const wanted = options.token ? `Basic ${Buffer.from(`x-access-token:${options.token}`).toString('base64')}` : null
  const server = http.createServer(async (request, response) => {
    try {
      const body = await readBody(request)
      const seen: SeenRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization ?? null,
        protocol: (request.headers['git-protocol'] as string | undefined) ?? null,
        bytesIn: body.length,
        bytesOut: 0,
      }
      requests.push(seen)
      if (wanted !== null && request.headers.authorization !== wanted) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no')
        return
      }
      if (await gitServer.fault?.before?.(request, response, body)) return
      const answer = await runBackend(root, request, body)
      if (await gitServer.fault?.after?.(request, response, answer)) return
      seen.bytesOut = answer.body.length
      response.writeHead(answer.status, answer.headers).end(answer.body)
    } catch {
      response.destroy()
    }
  })
  // A long timeout prevents the server from closing a connection that a client is about to reuse.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const gitServer: GitServer = {
    origin,
    requests,
    fault: null,
    url: (repository) => `${origin}/${repository}`,
    close,
    [Symbol.asyncDispose]: close,
  }
  return gitServer
}

async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function runBackend(root: string, request: http.IncomingMessage, body: Buffer): Promise<CgiAnswer> {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      GIT_PROTOCOL: (request.headers['git-protocol'] as string | undefined) ?? '',
      REMOTE_USER: 'test',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(body)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  const output = Buffer.concat(chunks)
  const split = output.indexOf('\r\n\r\n')
  const headers: Record<string, string> = {}
  let status = 200
  for (const line of output.toString('latin1', 0, split).split('\r\n')) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).toLowerCase()
    const value = line.slice(at + 1).trim()
    if (name === 'status') status = Number.parseInt(value, 10)
    else headers[name] = value
  }
  return { status, headers, body: output.subarray(split + 4) }
}
