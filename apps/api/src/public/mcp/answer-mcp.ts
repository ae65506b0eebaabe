import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../../http/deps.ts'
import { buildMcpServer } from './build-mcp-server.ts'
import type { McpCaller } from './mcp-caller.ts'

export interface McpAnswer {
  readonly status: number
  readonly type: string | null
  /** A stream if the client asked for progress notifications. */
  readonly body: string | ReadableStream
}

/** Answers one request of the protocol with a server of its own. */
export async function answerMcp(
  deps: ApiDeps,
  { headers: given, body, ...caller }: McpCaller & { headers: FastifyRequest['headers']; body: unknown },
): Promise<McpAnswer> {
  const server = buildMcpServer(deps, caller)
  const isStream = wantsProgress(body)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream })
  try {
    await server.connect(transport)
    const headers = new Headers()
    for (const name of ['accept', 'content-type', 'mcp-protocol-version'] as const) {
      const value = given[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const forwarded = new Request('http://localhost/mcp', { method: 'POST', headers })
    const response = await transport.handleRequest(forwarded, { parsedBody: body })
    const { status } = response
    const type = response.headers.get('content-type')
    if (!isStream || response.body === null) return { status, type, body: await response.text() }
    // The stream ends after the last response. The signal is aborted when the connection closes.
    caller.signal.addEventListener('abort', () => void server.close())
    return { status, type, body: response.body }
  } finally {
    if (!isStream) await server.close()
  }
}

/** Returns true for one call of a tool that waits, if the client asked for notifications. */
function wantsProgress(body: unknown): boolean {
  const { method, params } = Object(body) as { method?: unknown; params?: unknown }
  const { name, _meta: meta } = Object(params) as { name?: unknown; _meta?: unknown }
  return method === 'tools/call' && name === 'wait_for_job' && 'progressToken' in Object(meta)
}
