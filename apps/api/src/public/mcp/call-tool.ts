import { AppError } from '@corrigenda/core/base'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { logFailure, toRefusal } from '../../http/errors.ts'
import { toTrueRefusal } from '../../http/unknown-outcome.ts'
import { assertScope } from './mcp-caller.ts'
import type { McpTool, ToolCall } from './mcp-tool.ts'

const ADVICE = 'Repeat the call with the same idempotencyKey. If it had none, check with list_jobs first.'

/** Runs a tool and returns its result. Errors become tool results, so that the model receives them. */
export async function callTool(tool: McpTool, call: ToolCall, given: unknown): Promise<CallToolResult> {
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
