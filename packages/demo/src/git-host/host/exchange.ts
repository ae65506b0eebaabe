import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { toFaultAnswer } from './take-fault.ts'
import type { Fault, RecordedRequest } from './types.ts'

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly entry: RecordedRequest
  /** Aborted when the host closes and the grace period has ended. */
  readonly closing: AbortSignal
}

/**
 * Performs an operation and applies the fault, if any. `perform` does the work, and sends the
 * response only if `deliver` is true. An operation can therefore succeed while the client receives
 * an error.
 */
export async function performUnderFault(
  exchange: Exchange,
  fault: Fault | null,
  perform: (deliver: boolean) => Promise<void>,
): Promise<void> {
  const { entry, request } = exchange
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
  const { status, body, headers } = toFaultAnswer(fault)
  send(exchange, status, body, headers)
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
  const bodiless = status === 204 || status === 304
  response.writeHead(status, { ...headers, ...(bodiless ? {} : { 'content-length': String(Buffer.byteLength(body)) }) })
  response.end(bodiless || request.method === 'HEAD' ? undefined : body)
}
