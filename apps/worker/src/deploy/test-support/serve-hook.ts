import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A status, or a custom response. */
export type HookAnswer = number | ((response: ServerResponse) => void)

interface HookCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * Starts a receiver that returns these responses in order, then repeats the last one. Records its
 * requests.
 */
export async function serveHook(...answers: HookAnswer[]) {
  const calls: HookCall[] = []
  let open = 0
  let mostOpen = 0
  const server = createServer(async (request, response) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    response.once('close', () => {
      open -= 1
    })
    let body = ''
    for await (const chunk of request) body += String(chunk)
    calls.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    const answer = answers[Math.min(calls.length, answers.length) - 1] ?? 200
    if (typeof answer === 'function') answer(response)
    else response.writeHead(answer).end('{"said":"so"}')
  })
  // Keeps the server from closing a connection that a client is about to reuse.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { calls, host, url: `http://${host}/hooks/a-secret-path-4711`, mostOpen: () => mostOpen }
}
