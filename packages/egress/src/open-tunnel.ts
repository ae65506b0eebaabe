import http from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import { toCredentials } from './proxies.ts'

/** Maximum time for the tunnel and the TLS handshake through it, in milliseconds. */
const CONNECT_MS = 10_000

/**
 * Error for a connection that a proxy did not open. `code` is `PROXY_` and the status of the proxy's
 * response, `PROXY_TIMEOUT`, or `PROXY_UNREACHABLE`. The message contains no credentials.
 */
export class ProxyError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'ProxyError'
  }
}

interface TunnelInput {
  readonly proxy: URL
  /** Name or address that the proxy connects to, without brackets. */
  readonly host: string
  readonly port: number
  /** The name that the target's certificate must be valid for. Null: a connection without TLS. */
  readonly tls: (tls.ConnectionOptions & { readonly host: string }) | null
  readonly signal?: AbortSignal | undefined
  /** Default: `CONNECT_MS`. */
  readonly limitMs?: number
}

/**
 * Connects to a host through a proxy (CONNECT, RFC 9110, 9.3.6), and verifies the host's
 * certificate. The proxy sees the host and the port, and the content only without TLS.
 * @throws ProxyError; an error of the TLS handshake; the signal's reason
 */
export async function openTunnel(input: TunnelInput): Promise<Socket> {
  const timeout = AbortSignal.timeout(input.limitMs ?? CONNECT_MS)
  const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout
  try {
    const socket = await askProxy(input, signal)
    return input.tls === null ? socket : await secure(socket, input.tls, signal)
  } catch (error) {
    input.signal?.throwIfAborted()
    if (!timeout.aborted) throw error
    throw new ProxyError('PROXY_TIMEOUT', `The proxy ${input.proxy.host} did not open a connection in time.`)
  }
}

function askProxy({ proxy, host, port }: TunnelInput, signal: AbortSignal): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const credentials = proxy.username || proxy.password ? { 'proxy-authorization': `Basic ${toCredentials(proxy)}` } : {}
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentials },
      agent: false,
      signal,
    })
    const refuse = (status: number | undefined) => {
      request.destroy()
      reject(
        new ProxyError(`PROXY_${status}`, `The proxy ${proxy.host} refused a connection to ${authority} (${status}).`),
      )
    }
    request.on('connect', ({ statusCode }, socket: Socket, head) => {
      if (statusCode !== 200) return refuse(statusCode)
      // A server that speaks first sends data with the proxy's response.
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    request.on('response', ({ statusCode }) => refuse(statusCode))
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        signal.aborted
          ? signal.reason
          : new ProxyError(
              'PROXY_UNREACHABLE',
              `The proxy ${proxy.host} cannot be reached${error.code ? ` (${error.code})` : ''}.`,
            ),
      ),
    )
    request.end()
  })
}

function secure(socket: Socket, options: NonNullable<TunnelInput['tls']>, signal: AbortSignal): Promise<Socket> {
  const servername = isIP(options.host) === 0 ? options.host : ''
  return new Promise((resolve, reject) => {
    const secured = tls.connect({ servername, ...options, socket })
    const abort = () => fail(signal.reason)
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort)
      secured.destroy()
      reject(error)
    }
    signal.addEventListener('abort', abort, { once: true })
    secured.once('error', fail)
    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', abort)
      secured.off('error', fail)
      resolve(secured)
    })
  })
}
