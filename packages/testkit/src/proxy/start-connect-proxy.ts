import { createServer, type IncomingMessage } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface ConnectProxy {
  /** Address, with the credentials if the proxy requires them. */
  readonly url: string
  /** Every request so far: what was asked for, and the status of the response. */
  readonly requests: { readonly target: string; readonly status: number }[]
  close(): Promise<void>
}

export interface ConnectProxyOptions {
  /** Ports on 127.0.0.1 by `host:port`. The proxy refuses all other targets with 403. */
  readonly targets: Readonly<Record<string, number>>
  /** `user:password`. Default: none are required, and none are accepted. */
  readonly credentials?: string
}

/**
 * Starts a proxy on loopback that accepts only CONNECT requests (RFC 9110, 9.3.6) to known targets.
 * It rejects what strict proxies reject: other methods, a target without a port, a Host header that
 * differs from the target, and missing or unexpected credentials.
 */
export async function startConnectProxy({ targets, credentials }: ConnectProxyOptions): Promise<ConnectProxy> {
  const requests: { target: string; status: number }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    requests.push({ target: `${request.method} ${request.url}`, status: 405 })
    response.writeHead(405).end()
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const target = request.url ?? ''
    const status = toStatus(request, credentials, targets)
    requests.push({ target, status })
    client.on('error', () => client.destroy())
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\nProxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const upstream = net.connect(targets[target] ?? 0, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('close', () => sockets.delete(upstream) && client.destroy())
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function toStatus(
  { url = '', headers }: IncomingMessage,
  credentials: string | undefined,
  targets: ConnectProxyOptions['targets'],
): number {
  if (!/^(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/.test(url) || !isHostOf(url, headers.host)) return 400
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  if (headers['proxy-authorization'] !== expected) return 407
  return url in targets ? 200 : 403
}

/** Tinyproxy omits the default port when it forwards a request. */
const isHostOf = (target: string, host: string | undefined): boolean =>
  host === target || (target.endsWith(':443') && `${host}:443` === target)
