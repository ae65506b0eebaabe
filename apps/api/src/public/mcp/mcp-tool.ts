import { AgentJob, type KeyScope } from '@corrigenda/contracts'
import type { AuditContext } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import type { Principal } from '@corrigenda/core/keys'
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'
import { IdempotencyKey } from '../jobs/job-requests.ts'

/** What a tool call may use besides its arguments. */
export interface ToolCall extends McpCaller {
  readonly deps: ApiDeps
  /** Reports progress to the client. Null if the client did not ask for it. */
  readonly report: ((progress: { progress: number; total: number; message: string }) => Promise<void>) | null
}

/** A tool. Its output is sent as `structuredContent`, and as JSON text for older clients. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scope: KeyScope
  readonly annotations: ToolAnnotations
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly run: (call: ToolCall, input: unknown) => Promise<object>
}

/** Builds a tool whose function receives the parsed arguments. */
export const defineTool = <Input extends z.ZodRawShape>(
  tool: Omit<McpTool, 'input' | 'run'> & {
    readonly input: Input
    readonly run: (call: ToolCall, input: z.output<z.ZodObject<Input>>) => Promise<object>
  },
): McpTool => ({ ...tool, input: z.object(tool.input), run: tool.run as McpTool['run'] })

export const id = z.string().describe('Job id, such as job_01kgs3v2n8q4r6t8w0y2a4c6e8')
export const idempotencyKey = IdempotencyKey.optional().describe(
  'A unique string for this request. If the call fails or times out, repeat it with the same string, so that it does not take effect twice.',
)

/**
 * The job record. Only the fields that every version has are required, because a repeated call returns
 * the stored response, which can be from an earlier version.
 */
export const JobOutput = AgentJob.partial().required({ id: true, status: true })

/** Returns the description of a tool for `tools/list`. */
export const describeTool = ({ name, title, description, annotations, input, output }: McpTool): Tool => ({
  name,
  title,
  description,
  annotations,
  inputSchema: toJsonSchema(input),
  outputSchema: toJsonSchema(output),
})

/**
 * Returns JSON Schema in the dialect that the validators of all clients support. Schemas of outputs
 * allow additional fields, because later versions add some.
 */
const toJsonSchema = (schema: z.ZodObject): Tool['inputSchema'] =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as Tool['inputSchema']

/** The caller of a request and the operations that its tools may use. */
export interface McpCaller {
  readonly principal: Principal
  readonly audit: AuditContext
  readonly version: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** Called before a call waits for a job. */
  readonly onWait: () => void
}

/** @throws AppError `scope_missing` */
export function assertScope({ scopes }: Principal, scope: KeyScope): void {
  if (scopes.includes(scope)) return
  throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Create a key with this scope.`)
}
