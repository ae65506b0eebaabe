import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Number of open requests when this one arrived, including this one. */
  readonly parallel: number
}

export interface Receiver {
  readonly host: string
  readonly url: string
  readonly received: Received[]
  /** Returns the ids of the received events, without duplicates. */
  ids(): string[]
  stop(): Promise<void>
}

export type Answer = (response: ServerResponse, entry: Received) => void

/**
 * Starts a loopback server that receives webhooks. Pass `port` to reuse an earlier receiver's port.
 */
export async function startReceiver(
  answer: Answer = (response) => void response.writeHead(204).end(),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = []
  let parallel = 0
  const server = createServer(async (request, response) => {
    parallel += 1
    response.once('close', () => {
      parallel -= 1
    })
    let body = ''
    const now = parallel
    for await (const chunk of request) body += String(chunk)
    const entry = { headers: request.headers, body, parallel: now }
    received.push(entry)
    answer(response, entry)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(stop)
  return {
    host,
    url: `http://${host}/hook`,
    received,
    ids: () => [...new Set(received.map((entry) => String(entry.headers['webhook-id'])))],
    stop,
  }
}

/** Verifies a request with the reference library. Throws if the signature is invalid. */
export const verify = (secret: string, entry: Received): unknown =>
  new Webhook(secret).verify(entry.body, entry.headers as Record<string, string>)
