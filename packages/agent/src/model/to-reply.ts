import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { type DraftBlock, type DraftReply, scanJson } from './collect-reply.ts'
import type { ModelReply, ModelRequest } from './model-call.ts'
import { badReply } from './model-error.ts'

const MAX_ID = 200
const MAX_DEPTH = 100
/** Stop reasons that already say that the reply's tool calls must not be run. */
const NOT_RUN = ['refusal', 'model_context_window_exceeded']

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '')

/** The blocks that the agent and the API rely on. Blocks of other types are kept as received. */
const BLOCKS: Readonly<Record<string, z.ZodType<object>>> = {
  text: z.looseObject({ text }),
  thinking: z.looseObject({ thinking: text }),
  redacted_thinking: z.looseObject({ data: z.string() }),
  tool_use: z.looseObject({ name: z.string().min(1).max(200) }),
}

interface ReplyContext {
  readonly request: ModelRequest
  /** True if the provider signs thinking, and rejects thinking without a signature. */
  readonly signsThinking: boolean
}

/**
 * Converts a received reply to the form that the rest of the service relies on: text is a string,
 * the input of a tool call is an object, and call ids are unique within the conversation. A tool
 * call whose input ends early makes the reply a truncated one (`max_tokens`), whatever stop reason
 * the server gives, so its calls are not run.
 * @throws ModelError if the reply cannot be converted
 */
export function toReply(
  draft: Pick<DraftReply, 'blocks' | 'stopReason'>,
  { request, signsThinking }: ReplyContext,
): Pick<ModelReply, 'content' | 'stopReason'> {
  const used = listCallIds(request)
  let isCutOff = false
  const content = draft.blocks.map((block) => {
    const { type } = block.start
    const checked = BLOCKS[type]?.safeParse(block.start) ?? { success: true, data: block.start }
    if (!checked.success) {
      const [issue] = checked.error.issues
      throw badReply(`a ${type} block is invalid (${issue?.path.join('.')}: ${issue?.message})`)
    }
    const start: Readonly<Record<string, unknown>> = { ...block.start, ...checked.data }
    if (type === 'text') {
      const citations = block.citations.length > 0 ? { citations: block.citations } : {}
      return { ...start, text: `${start.text}${block.text}`, ...citations }
    }
    if (type === 'thinking') return toThinking(start, block, signsThinking)
    if (!type.endsWith('tool_use')) return start
    const input = toInput(block)
    isCutOff ||= input === null
    return { ...start, id: toUniqueId(start.id, used), input: input ?? {} }
  })
  const stopReason = isCutOff && !NOT_RUN.includes(draft.stopReason ?? '') ? 'max_tokens' : draft.stopReason
  return { content: content as object[] as Anthropic.ContentBlock[], stopReason }
}

/**
 * Providers that sign thinking send an empty signature with truncated thinking. Servers that never
 * sign it expect it back without a signature.
 */
function toThinking(start: Readonly<Record<string, unknown>>, block: DraftBlock, signsThinking: boolean): object {
  const { signature, ...rest } = start
  const thinking = `${start.thinking}${block.text}`
  const signed = typeof signature === 'string' ? `${signature}${block.signature}` : block.signature
  const isAbsent = typeof signature !== 'string' && block.signature === '' && !signsThinking
  return { ...rest, thinking, ...(isAbsent ? {} : { signature: signed }) }
}

/** Returns a call's input, or null if its JSON ends early. JSON that is not an object counts as `{}`. */
function toInput({ start, json }: DraftBlock): object | null {
  if (json.trim() === '') return toObject(start.input)
  const { isOpen, depth } = scanJson(json)
  const name = JSON.stringify(String(start.name).slice(0, 60))
  if (depth > MAX_DEPTH) throw badReply(`the input of a ${name} call is nested too deeply`)
  try {
    return toObject(JSON.parse(json))
  } catch {
    if (isOpen) return null
    throw badReply(`the input of a ${name} call is not valid JSON`)
  }
}

const toObject = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

function listCallIds({ messages }: ModelRequest): Set<string> {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))
}

/**
 * Returns the server's id, or a new one of the same form if that id is missing or already used.
 * Some servers count calls from 0 in every reply, and the id may contain the name of the tool.
 */
function toUniqueId(given: unknown, used: Set<string>): string {
  const text = typeof given === 'string' && given.length <= MAX_ID ? given : ''
  const stem = text.replace(/\d{1,9}$/, '') || 'call_'
  let id = text
  for (let count = used.size; id === '' || used.has(id); count += 1) id = `${stem}${count}`
  used.add(id)
  return id
}
