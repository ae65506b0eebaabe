import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Requests in hand when this one arrived, itself included. */
  readonly parallel: number
}

export interface Receiver {
  readonly host: string
  readonly url: string
  readonly received: Received[]
  /** Ids of the events it has seen, each once. */
  ids(): string[]
  stop(): Promise<void>
}

export type Answer = (response: ServerResponse, entry: Received) => void

/** Somebody's server on loopback that takes webhooks. @param port to come back where an earlier one was */
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

/** What the reference library makes of a request; throws when the signature is not right. */
export const verify = (secret: string, entry: Received): unknown =>
  new Webhook(secret).verify(entry.body, entry.headers as Record<string, string>)
