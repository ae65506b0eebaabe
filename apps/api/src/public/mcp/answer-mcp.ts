import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../../http/deps.ts'
import { buildMcpServer, type McpCaller } from './build-mcp-server.ts'

export interface McpAnswer {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

/** Answers one request of the protocol with a server of its own. */
export async function answerMcp(
  deps: ApiDeps,
  { headers: given, body, ...caller }: McpCaller & { headers: FastifyRequest['headers']; body: unknown },
): Promise<McpAnswer> {
  const server = buildMcpServer(deps, caller)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    const headers = new Headers()
    for (const name of ['accept', 'content-type', 'mcp-protocol-version'] as const) {
      const value = given[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const forwarded = new Request('http://localhost/mcp', { method: 'POST', headers })
    const response = await transport.handleRequest(forwarded, { parsedBody: body })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  } finally {
    await server.close()
  }
}
