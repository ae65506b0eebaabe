import { AppError } from '@corrigenda/core/base'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  type GetPromptResult,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type Prompt,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../../http/deps.ts'
import { logFailure, toRefusal } from '../../http/errors.ts'
import { toTrueRefusal } from '../../http/unknown-outcome.ts'
import { assertScope, describeTool, type McpCaller, type McpTool, type ToolCall } from './mcp-tool.ts'
import { READ_TOOLS } from './read-tools.ts'
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import { WRITE_TOOLS } from './write-tools.ts'

/** Instructions that a user can choose in the client. Each has one required argument. */
const PROMPTS: readonly McpPrompt[] = [
  {
    name: 'document_change',
    title: 'Document a change',
    description: 'Have the documentation updated for a change to the product, and report the pull request.',
    argument: { name: 'change', description: 'What changed, as a sentence, release notes or a diff' },
    toText: (change) =>
      [
        'Have the documentation updated for this change:',
        change,
        'Create a job with create_job. Give it all facts that it needs, because it reads only the prompt, the documentation and the sources of the project. Set idempotencyKey to a new random string, and repeat a failed call with the same one.',
        'Call wait_for_job until the status is not active. If the outcome is needs_input, show me the question in the summary and send my answer with send_message. If the outcome is changed, show me the summary and the link to the pull request. Otherwise, explain the reason.',
      ].join('\n\n'),
  },
  {
    name: 'review_job',
    title: 'Review a job',
    description: 'Read what a job changed, and compare it with what was asked.',
    argument: { name: 'id', description: 'Job id, job_…' },
    toText: (id) =>
      [
        `Review the Corrigenda job ${id}.`,
        'Read it with get_job and its changes with get_changes. Summarize the changes page by page. Name everything that the summary claims and the diff does not contain, and every issue in the checks.',
        'If something should change, suggest a follow-up. Send it with send_message only after I have agreed.',
      ].join('\n\n'),
  },
]

const ADVICE = 'Repeat the call with the same idempotencyKey. If it had none, check with list_jobs first.'

const [CREATE, ...OTHERS] = WRITE_TOOLS
/** In the order in which a client uses them. */
const TOOLS: readonly McpTool[] = [...(CREATE ? [CREATE] : []), ...READ_TOOLS, ...OTHERS]
const DESCRIPTIONS = TOOLS.map(describeTool)

const INSTRUCTIONS =
  'Corrigenda edits the documentation repository of one project. Create a job with a sentence that describes the change, wait for the job, then show the link to its pull request. A job with the outcome needs_input asks a question in `summary`. Answer it with send_message.'

/**
 * Builds the MCP server with the tools, prompts and resources of a project, limited to the permissions
 * of the request's key. Each request has a separate, stateless server.
 */
export function buildMcpServer(deps: ApiDeps, caller: McpCaller): Server {
  const server = new Server(
    { name: 'corrigenda', title: 'Corrigenda', version: caller.version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: DESCRIPTIONS }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendNotification }) => {
    const tool = TOOLS.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}".`)
    const progressToken = params._meta?.progressToken
    const report =
      progressToken === undefined
        ? null
        : (progress: { progress: number; total: number; message: string }) =>
            sendNotification({ method: 'notifications/progress', params: { progressToken, ...progress } })
    return callTool(tool, { ...caller, deps, report }, params.arguments)
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => listResources(deps, caller, params?.cursor))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(deps, caller, params.uri))
  return server
}

/** Runs a tool and returns its result. Errors become tool results, so that the model receives them. */
async function callTool(tool: McpTool, call: ToolCall, given: unknown): Promise<CallToolResult> {
  try {
    assertScope(call.principal, tool.scope)
    const result = await tool.run(call, parseInput(tool, given))
    return { content: [{ type: 'text', text: JSON.stringify(result, null, 1) }], structuredContent: { ...result } }
  } catch (error) {
    const mayChange = tool.scope !== 'jobs:read'
    const refusal = toTrueRefusal(toRefusal(error), error, { mayChange, advice: ADVICE })
    if (refusal.status >= 500) logFailure(call.deps.log, refusal, error)
    return { isError: true, content: [{ type: 'text', text: `${refusal.message} (${refusal.code})` }] }
  }
}

/** @throws AppError `invalid_request` that names each wrong argument */
function parseInput({ name, input }: McpTool, given: unknown): unknown {
  const parsed = input.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `"${path.join('.')}": ${message}.`)
  throw new AppError('invalid_request', `The arguments of ${name} are not valid. ${problems.join(' ')}`)
}

interface McpPrompt extends Prompt {
  readonly name: string
  readonly argument: { readonly name: string; readonly description: string }
  readonly toText: (value: string) => string
}

const listPrompts = (): Prompt[] =>
  PROMPTS.map(({ name, title, description, argument }) => ({
    name,
    title,
    description,
    arguments: [{ ...argument, required: true }],
  }))

/** @throws McpError if the prompt is unknown or its argument is missing */
function getPrompt(name: string, values: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${name}".`)
  const value = values[prompt.argument.name]?.trim()
  if (!value) throw new McpError(ErrorCode.InvalidParams, `The argument "${prompt.argument.name}" is missing.`)
  return { messages: [{ role: 'user', content: { type: 'text', text: prompt.toText(value) } }] }
}

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
