import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Null for the first span of a trace. */
  readonly parentId: string | null
  /** Trace ids of the linked spans. */
  readonly links: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly isError: boolean
  readonly startNs: bigint
}

export interface OtlpReceiver {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The bodies of all requests. */
  readonly bodies: readonly string[]
  /** Reasons why requests were rejected. */
  readonly problems: readonly string[]
  /** How requests are answered: as a receiver does, with 503, or not at all. */
  mode: 'accept' | 'refuse' | 'hang'
  close(): Promise<void>
}

/**
 * Starts an OTLP receiver on loopback (OTLP 1.x, http/json). It rejects other paths, methods and media
 * types, and spans whose ids, times or attributes do not have the form of the specification.
 */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const problems: string[] = []
  const state = { mode: 'accept' as OtlpReceiver['mode'] }
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: Error) => {
      problems.push(error.message)
      response.writeHead(400).end()
    })
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    if (state.mode === 'hang') return
    if (state.mode === 'refuse') {
      response.writeHead(503).end()
      return
    }
    check(request.method === 'POST' && request.url === '/v1/traces', `${request.method} ${request.url}`)
    check(request.headers['content-type'] === 'application/json', `media type ${request.headers['content-type']}`)
    spans.push(...readSpans(JSON.parse(body)))
    response.setHeader('content-type', 'application/json').end('{"partialSuccess":{}}')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    problems,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: Attribute[]
  links?: { traceId: string }[]
  status?: { code?: number }
}

interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

function readSpans({ resourceSpans }: Sent): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(service, span)))
  })
}

function readSpan(service: string, span: SentSpan): ReceivedSpan {
  check(/^[0-9a-f]{32}$/.test(span.traceId) && /^[0-9a-f]{16}$/.test(span.spanId), `ids of ${span.name}`)
  check(/^([0-9a-f]{16})?$/.test(span.parentSpanId ?? ''), `parent of ${span.name}`)
  check(span.kind >= 1 && span.kind <= 5, `kind of ${span.name}`)
  const [start, end] = [span.startTimeUnixNano, span.endTimeUnixNano]
  check(/^\d{19}$/.test(start) && /^\d{19}$/.test(end) && start <= end, `times of ${span.name}`)
  return {
    service,
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId || null,
    links: (span.links ?? []).map(({ traceId }) => traceId),
    attributes: readAttributes(span.attributes ?? []),
    isError: span.status?.code === 2,
    startNs: BigInt(start),
  }
}

function readAttributes(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[type, content] = ['', null], ...others] = Object.entries(value)
      check(others.length === 0 && /^(string|int|bool|double|array)Value$/.test(type), `attribute ${key}`)
      return [key, content]
    }),
  )
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`invalid request: ${what}`)
}
