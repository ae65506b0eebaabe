import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toEventFrame } from '@corrigenda/testkit/internal/messages-api/to-event-frame'
import type { Shape } from './read-shapes.ts'

export interface ShapeFront {
  readonly url: string
  /** Number of calls by shape. */
  readonly calls: ReadonlyMap<string, number>
  /** Sets the strict server that receives all other calls. */
  forwardTo(url: string): void
  close(): Promise<void>
}

/**
 * Starts a server that answers the first call of a shape's job, or all of them, with the shape, and
 * forwards all other calls to a strict server.
 */
export async function startShapeFront(shapes: readonly Shape[], wire: 'sse' | 'bedrock'): Promise<ShapeFront> {
  const calls = new Map<string, number>()
  let strict = ''
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const sent = Buffer.concat(chunks).toString()
    const id = /Row ([\w-]+)\./.exec(sent)?.[1] ?? ''
    const shape = shapes.find((one) => one.id === id)
    const count = (calls.get(id) ?? 0) + 1
    calls.set(id, count)
    if (shape && (count === 1 || shape.isPermanent)) return sendShape(response, shape, wire)
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers
    const init = { method: 'POST', headers: headers as Record<string, string>, body: toStrict(sent) }
    const answer = await fetch(`${strict}${request.url}`, init)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    forwardTo: (url) => {
      strict = url
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function sendShape(response: ServerResponse, { status, type, body }: Shape, wire: 'sse' | 'bedrock'): void {
  response.writeHead(status, { ...(type === null ? {} : { 'content-type': type }), 'request-id': 'req_shape' })
  if (wire === 'sse' || type !== 'application/vnd.amazon.eventstream') return void response.end(body)
  for (const line of body.split('\n').filter((one) => one !== '')) response.write(toFrame(line))
  response.end()
}

/** Converts a line, `chunk` or the name of an exception and then JSON, to an AWS event stream frame. */
function toFrame(line: string): Buffer {
  const name = line.slice(0, line.indexOf(' '))
  const json = line.slice(name.length + 1)
  const common = { ':content-type': 'application/json' }
  if (name !== 'chunk') return toEventFrame({ ':exception-type': name, ...common, ':message-type': 'exception' }, json)
  const headers = { ':event-type': 'chunk', ...common, ':message-type': 'event' }
  return toEventFrame(headers, JSON.stringify({ bytes: Buffer.from(json).toString('base64') }))
}

/**
 * Converts what only some servers accept: their own form of ids, and thinking without a signature.
 */
function toStrict(sent: string): string {
  const body = JSON.parse(sent)
  for (const message of body.messages) {
    if (typeof message.content === 'string') continue
    message.content = message.content.filter((block: { type: string; signature?: string }) => block.type !== 'thinking')
    for (const block of message.content) {
      for (const key of ['id', 'tool_use_id']) if (key in block) block[key] = block[key].replaceAll(/[^\w-]/g, '_')
    }
  }
  return JSON.stringify(body)
}
