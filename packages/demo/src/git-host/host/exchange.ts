import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from './operations.ts'

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly entry: RecordedRequest
  /** Aborted when the host closes and the grace period has ended. */
  readonly closing: AbortSignal
}

/** A request as received. Headers are omitted, so that it contains no credentials. */
export interface RecordedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  /** `page` for the HTML pages, `unknown` for requests that the host does not serve. */
  op: Operation | 'page' | 'unknown'
  /** Status sent, or 0 while in flight or if the connection was reset. */
  status: number
  /** Parsed body of a REST write. */
  body?: unknown
  fault?: Fault['kind']
}

/**
 * Sends the response and records its status. Reads and discards the rest of the request body, so
 * that the client receives the response.
 */
export function send(
  { request, response, entry }: Exchange,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return
  entry.status = status
  if (!request.readableEnded) request.resume()
  if (status === 204) response.writeHead(status, headers)
  else response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
  response.end(status === 204 || request.method === 'HEAD' ? undefined : body)
}

/** One entry of GitHub's `errors` array. */
export interface FieldError {
  readonly resource: string
  readonly code: 'missing_field' | 'invalid' | 'custom'
  readonly field?: string
  readonly message?: string
}

/** An error response for the client. `message` is public. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    options: { errors?: readonly FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

export const notFound = (): HttpError => new HttpError(404, 'Not Found')

export const validationFailed = (...errors: FieldError[]): HttpError =>
  new HttpError(422, 'Validation Failed', { errors })

/** A fault that affects the next `times` requests for an operation. */
export interface Fault {
  readonly op: Operation | '*'
  /** Default: 1. Infinity keeps the fault until clearFaults is called. */
  readonly times?: number
  /**
   * - `status`: returns `status` without performing the operation.
   * - `apply-then-status`: performs the operation, then returns the error status.
   * - `reset`, `apply-then-reset`: the same, but resets the connection instead of sending a
   *   response.
   * - `delay`: performs the operation later.
   */
  readonly kind: 'status' | 'apply-then-status' | 'reset' | 'apply-then-reset' | 'delay'
  /** Default: 502. */
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly message?: string
  /** Sent as JSON instead of the API's error. */
  readonly body?: unknown
  /** Sent as HTML instead of the API's JSON, like a proxy's error page. */
  readonly page?: string
  /** Runs before the operation, to simulate a concurrent change by a user. */
  readonly meanwhile?: () => Promise<void>
  /** Delay before the operation, in milliseconds. */
  readonly ms?: number
  /**
   * Matches only requests whose "METHOD path body" contains this string. Only the first 4 kB of a
   * git body are searched.
   */
  readonly match?: string
}

export interface ArmedFault {
  readonly fault: Fault
  left: number
}

/**
 * Performs an operation and applies the first armed fault that matches it. `perform` does the work,
 * and sends the response only if `deliver` is true. An operation can therefore succeed while the
 * client receives an error.
 * @param body the part of the request's body that faults can match
 */
export async function performUnderFault(
  faults: ArmedFault[],
  exchange: Exchange,
  body: string,
  perform: (deliver: boolean) => Promise<void>,
): Promise<void> {
  const { entry, request } = exchange
  const fault = takeFault(faults, entry.op, `${entry.method} ${entry.path} ${body}`)
  if (!fault) return perform(true)
  entry.fault = fault.kind
  await fault.meanwhile?.()
  if (fault.ms) await sleep(fault.ms, undefined, { signal: exchange.closing })
  if (fault.kind === 'delay') return perform(true)
  if (fault.kind.startsWith('apply-then-')) await perform(false)
  if (fault.kind.endsWith('reset')) {
    entry.status = 0
    request.socket.resetAndDestroy()
    return
  }
  const { status = 502, message = 'Server Error', body: json, page, headers } = fault
  const error = json === undefined ? toErrorBody(status, message) : JSON.stringify(json)
  const type = page === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8'
  send(exchange, status, page ?? error, { 'content-type': type, ...headers })
}

function takeFault(faults: ArmedFault[], op: RecordedRequest['op'], request: string): Fault | null {
  const armed = faults.find(({ fault }) => (fault.op === '*' || fault.op === op) && request.includes(fault.match ?? ''))
  if (!armed) return null
  armed.left -= 1
  if (armed.left <= 0) faults.splice(faults.indexOf(armed), 1)
  return armed.fault
}

/** Returns the JSON body of GitHub's error responses. */
export function toErrorBody(status: number, message: string, errors?: readonly FieldError[]): string {
  const documentation = 'https://docs.github.com/rest'
  return JSON.stringify({ message, errors, documentation_url: documentation, status: String(status) })
}
