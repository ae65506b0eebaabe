import http, { type ClientRequestArgs, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { openTunnel, type Proxies, ProxyError } from '@corrigenda/egress'
import { type Address, type LookUp, OutboundError, resolveTarget, type Target } from './resolve-target.ts'

/** Maximum number of response body bytes to read. The rest is discarded. */
const MAX_BODY_BYTES = 4096

export interface OutboundRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Covers name lookup, connection, request and response. */
  readonly timeoutMs: number
  /** Entries of ALLOWED_HOOK_HOSTS. They may be private and use plain http. */
  readonly allowedHosts: readonly string[]
  /** The project that configured the URL. */
  readonly projectId: string
  /** Default: direct connections. */
  readonly proxies?: Proxies | null
  readonly signal?: AbortSignal | undefined
  /** Overridden only in tests. */
  readonly lookUp?: LookUp
}

/**
 * A response with any status, including redirects, which are not followed. Header names are
 * lowercase. `body` contains the first 4 KiB as text, or nothing if users must not read it.
 */
export interface OutboundAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/**
 * Sends a request to a URL that a user configured. Only public addresses over https and hosts
 * allowed by the operator can be called. The name is resolved once, every address is checked, and
 * the connection uses a checked address, which prevents DNS rebinding (see OWASP on SSRF
 * prevention). A proxy also receives the checked address instead of the name, except for hosts that
 * the operator allowed. Does not follow redirects, retry or reuse connections. Verifies certificates.
 * @throws OutboundError
 */
export async function sendRequest(request: OutboundRequest): Promise<OutboundAnswer> {
  const { timeoutMs, signal } = request
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new OutboundError('timeout', 'No response was received in time.')),
    timeoutMs,
  )
  const stop = () => deadline.abort(new OutboundError('aborted', 'The request was aborted.'))
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  try {
    const target = await orAbort(deadline.signal, resolveTarget({ ...request, signal: deadline.signal }))
    return await exchange(target, request, deadline.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** Rejects when the signal aborts. A system name lookup cannot be cancelled, only ignored. */
function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function exchange(target: Target, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
  const { url, addresses, proxy } = target
  const connection =
    proxy === null
      ? // Opens a new connection, because another tenant's connection must not be reused.
        { agent: false, lookup: toPinned(addresses ?? []) }
      : { createConnection: openThroughProxy({ ...target, proxy }, signal) }
  const open = url.protocol === 'https:' ? https.request : http.request
  return new Promise((resolve, reject) => {
    const sent = open(url, {
      method: request.method,
      headers: { 'content-length': String(Buffer.byteLength(request.body)), ...request.headers },
      ...connection,
    })
    const end = (complete: () => void) => {
      signal.removeEventListener('abort', abort)
      complete()
      sent.destroy()
    }
    const fail = (error: Error) => end(() => reject(toOutboundError(url, error)))
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    sent.on('error', fail)
    // Without a listener, a receiver that switches protocols would delay the result until the
    // deadline.
    sent.on('upgrade', (response) => {
      end(() => resolve({ status: response.statusCode ?? 0, headers: toPlainHeaders(response.headers), body: '' }))
    })
    sent.on('response', (response) =>
      readStart(response, fail, (body) => {
        const shown = target.isReadable ? body : ''
        const answer = { status: response.statusCode ?? 0, headers: toPlainHeaders(response.headers), body: shown }
        end(() => resolve(answer))
      }),
    )
    sent.end(request.body)
  })
}

/** Returns a lookup function that always returns the checked addresses. */
function toPinned(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

function readStart(response: IncomingMessage, onError: (error: Error) => void, onBody: (text: string) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  // A character cut off at the end becomes a replacement character.
  const done = () => onBody(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8'))
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_BODY_BYTES) done()
  })
  response.on('end', done)
  response.on('error', onError)
}

function toOutboundError(url: URL, error: Error): OutboundError {
  if (error instanceof OutboundError) return error
  if (error instanceof ProxyError) return new OutboundError('connection', error.message)
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_|EPROTO)/.test(code)) {
    return new OutboundError('tls', `A secure connection to ${url.host} could not be established (${code}).`)
  }
  return new OutboundError('connection', `${url.host} could not be reached${code ? ` (${code})` : ''}.`)
}

function toPlainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}

type OnCreated = (error: Error | null, socket: Duplex) => void

/**
 * Returns a `createConnection` for one request, which connects to the target's addresses through its
 * proxy, one after the other. A proxy may lack IPv6, so IPv4 addresses come first. If the target has
 * no addresses, the proxy resolves the name.
 */
function openThroughProxy(target: Target & { readonly proxy: URL }, signal: AbortSignal) {
  return (_options: ClientRequestArgs, done: OnCreated): undefined => {
    connect(target, signal).then(
      (socket) => done(null, socket),
      (error: Error) => (done as (error: Error) => void)(error),
    )
  }
}

async function connect({ url, proxy, addresses }: Target & { proxy: URL }, signal: AbortSignal): Promise<Duplex> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const hosts = addresses === null ? [name] : addresses.map(({ address }) => address)
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  let last: unknown
  for (const host of hosts.sort((a, b) => isIP(a) - isIP(b))) {
    try {
      return await openTunnel({ proxy, host, port, tls: isSecure ? { host: name } : null, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProxyError)) throw error
      last = error
    }
  }
  throw last
}
