import type Anthropic from '@anthropic-ai/sdk'
import { WorkspaceError } from '@corrigenda/git/workspace'
import { MoveError } from '@corrigenda/site/move'
import { ZodError } from 'zod'
import { MAX_CALLS } from '../model/model-call.ts'
import { type Tool, type ToolContext, ToolError } from '../tools/tool.ts'

const MAX_RESULT_CHARS = 40_000

export interface ToolOutcome {
  readonly call: Anthropic.ToolUseBlock
  readonly text: string
  readonly isError: boolean
}

interface RunToolsInput {
  readonly tools: readonly Tool[]
  readonly context: ToolContext
  readonly calls: readonly Anthropic.ToolUseBlock[]
  /** Maximum number of calls to run. Default: `MAX_CALLS`. */
  readonly maxCalls?: number
  readonly signal: AbortSignal
  /** Receives errors whose details are not shown to the model. */
  readonly onFault: (error: unknown, toolName: string) => void
}

/**
 * Runs a turn's tool calls and returns their outcomes in the same order. Adjacent reads run in
 * parallel, and writes run sequentially. `finish` runs last, and only once. Tool errors are
 * returned as outcomes. Throws the signal's reason when aborted.
 */
export async function runTools(input: RunToolsInput): Promise<ToolOutcome[]> {
  const { calls, signal, maxCalls = MAX_CALLS } = input
  const outcomes = new Map<string, ToolOutcome>()
  const recordResult = (call: Anthropic.ToolUseBlock, text: string, isError: boolean) =>
    outcomes.set(call.id, { call, text: clipResult(text), isError })

  let finishing: Anthropic.ToolUseBlock | null = null
  const batches: { readonly parallel: boolean; readonly calls: Anthropic.ToolUseBlock[] }[] = []
  for (const [index, call] of calls.entries()) {
    const kind = input.tools.find((tool) => tool.name === call.name)?.kind ?? 'read'
    if (index >= maxCalls) {
      recordResult(
        call,
        `Not run: the limit is ${maxCalls} tool ${maxCalls === 1 ? 'call' : 'calls'} per turn. Send this call again.`,
        true,
      )
    } else if (kind === 'finish') {
      if (finishing === null) finishing = call
      else recordResult(call, 'Not run: finish was called twice in one turn. Read the result of the first call.', true)
    } else {
      const last = batches.at(-1)
      if (kind === 'read' && last?.parallel) last.calls.push(call)
      else batches.push({ parallel: kind === 'read', calls: [call] })
    }
  }
  if (finishing !== null) batches.push({ parallel: false, calls: [finishing] })
  for (const batch of batches) {
    signal.throwIfAborted()
    await Promise.all(
      batch.calls.map(async (call) => {
        const { text, isError } = await runOne(input, call)
        recordResult(call, text, isError)
      }),
    )
  }
  signal.throwIfAborted()
  return calls.flatMap((call) => outcomes.get(call.id) ?? [])
}

async function runOne(input: RunToolsInput, call: Anthropic.ToolUseBlock): Promise<{ text: string; isError: boolean }> {
  const tool = input.tools.find((candidate) => candidate.name === call.name)
  if (tool === undefined) {
    const names = input.tools.map((candidate) => candidate.name).join(', ')
    return {
      text: `The tool ${JSON.stringify(call.name.slice(0, 100))} does not exist. Available tools: ${names}.`,
      isError: true,
    }
  }
  try {
    return { text: await tool.call(input.context, call.input), isError: false }
  } catch (error) {
    if (!isTeaching(error)) input.onFault(error, tool.name)
    return { text: toToolFailure(error, tool.name), isError: true }
  }
}

/**
 * Truncates a result and makes it acceptable to the API, which rejects malformed and blank text.
 */
function clipResult(text: string): string {
  const plain = text.toWellFormed()
  const cut =
    plain.length > MAX_RESULT_CHARS
      ? `${plain.slice(0, MAX_RESULT_CHARS).toWellFormed()}\n[cut at ${MAX_RESULT_CHARS} characters]`
      : plain
  return cut.trim() === '' ? '(empty)' : cut
}

/**
 * Returns the message that the model receives for a failed call. Only errors written for the model
 * are quoted. Other errors may contain stack traces or local paths.
 */
function toToolFailure(error: unknown, toolName: string): string {
  if (error instanceof ToolError || error instanceof WorkspaceError || error instanceof MoveError) return error.message
  if (error instanceof ZodError) {
    const issues = error.issues.slice(0, 5).map((issue) => {
      const at = issue.path.map(String).join('.')
      return at === '' ? issue.message : `${at}: ${issue.message}`
    })
    return `${toolName} was called with invalid input and did nothing. ${issues.join('; ')}. Correct the input and send the call again.`
  }
  return `${toolName} failed because of an internal error. Nothing was changed. Try something else, or finish with the current edits.`
}

/** Returns true if the error was written for the model. Other errors are only logged. */
function isTeaching(error: unknown): boolean {
  return [ToolError, WorkspaceError, MoveError, ZodError].some((kind) => error instanceof kind)
}
