import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { buildCorrigenda, type CorrigendaOptions } from '../index.ts'

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export type Reply = (response: http.ServerResponse, received: Received) => void

/** Starts a server that sends the n-th reply to the n-th request, then repeats the last one. */
export async function serveScript(replies: readonly Reply[], options: Partial<CorrigendaOptions> = {}) {
  const received: Received[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    const one = { method, path: url, headers, body }
    received.push(one)
    replies[Math.min(received.length, replies.length) - 1]?.(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = buildCorrigenda({ baseUrl, apiKey: 'cgd_k', projectId: 'prj_1', pollMs: 1, ...options })
  return { received, client, baseUrl }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r-1', ...headers })
    response.end(JSON.stringify(body))
  }

export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(status, { error: `The error is ${code}.` }, { 'x-error-code': code, ...headers })

/** Accepts the request and closes the connection without a response. */
export const breakOff: Reply = (response) => void response.socket?.destroy()

export const stream =
  (text: string, end: 'end' | 'break' = 'end'): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => (end === 'end' ? response.end() : response.socket?.destroy()))
  }

export const event = (seq: number, type: string): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, type, createdAt: '2026-01-31T12:00:00.000Z', data: {} })}\n\n`
