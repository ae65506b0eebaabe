import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { ApiDeps } from '../../http/deps.ts'
import { callTool } from './call-tool.ts'
import type { McpCaller } from './mcp-caller.ts'
import { describeTool, type McpTool } from './mcp-tool.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { READ_TOOLS } from './read-tools.ts'
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import { WRITE_TOOLS } from './write-tools.ts'

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
