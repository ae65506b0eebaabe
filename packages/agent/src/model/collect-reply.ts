import { z } from 'zod'
import { badReply, type ModelError } from './model-error.ts'
import { addUsage, type TurnUsage } from './transcript.ts'

/** A content block as received. */
export interface DraftBlock {
  /** The block in `content_block_start`. */
  readonly start: Readonly<Record<string, unknown>> & { readonly type: string }
  /** Text or thinking of the deltas. */
  text: string
  /** Tool input of the deltas. */
  json: string
  signature: string
  readonly citations: unknown[]
}

export interface DraftReply {
  readonly blocks: readonly DraftBlock[]
  readonly stopReason: string | null
  readonly refusalCategory: string | null
  readonly usage: TurnUsage
}

interface ReplyCollector {
  /** @throws ModelError if the event reports an error */
  add(event: StreamEvent): void
  /**
   * Returns the stream's usage so far, or null before the stream has started. The provider also bills
   * interrupted replies. They never report their output tokens, so these are estimated.
   */
  usage(): TurnUsage | null
  /**
   * Returns the reply once the stream has ended.
   * @throws ModelError if the stream is not a reply; another Error if it ended too early
   */
  end(): DraftReply
}

/** Estimated characters per token, used when the API has not reported a count. */
const CHARS_PER_TOKEN = 4
const MAX_DEPTH = 100

/**
 * Collects the events of one streamed reply. Accepts what compatible servers leave out or add
 * without changing the reply: event names, `usage`, `[DONE]`, a repeated `message_start`, a missing
 * `message_stop`. After any other deviation, the rest of the stream is only metered.
 * @param toError converts the body of an error event
 */
export function collectReply(toError: (body: unknown) => ModelError): ReplyCollector {
  /** Usage of messages that another one has replaced. */
  let replaced: TurnUsage | null = null
  let begun: { readonly id: string | null; usage: TurnUsage } | null = null
  let characters = 0
  const blocks: DraftBlock[] = []
  const open = new Map<number, DraftBlock>()
  let stopReason: string | null = null
  let refusalCategory: string | null = null
  let isEnded = false
  let isDone = false
  let fault: ModelError | null = null

  const usage = () => {
    if (begun === null) return replaced
    const outputTokens = Math.max(begun.usage.outputTokens, Math.ceil(characters / CHARS_PER_TOKEN))
    return addUsage(replaced, { ...begun.usage, outputTokens })
  }

  function startBlock(at: number | null | undefined, start: DraftBlock['start']): void {
    if (begun === null) throw badReply('a content block starts before the message')
    const key = at ?? blocks.length
    if (open.has(key)) throw badReply(`content block ${key} starts twice`)
    const block = { start, text: '', json: '', signature: '', citations: [] }
    blocks.push(block)
    open.set(key, block)
  }

  function addDelta(at: number | null | undefined, delta: { readonly type: string }): void {
    const block = typeof at === 'number' ? open.get(at) : blocks.at(-1)
    if (block === undefined) throw badReply('a delta refers to a content block that has not started')
    const { type } = block.start
    const isFor = (fits: boolean) => {
      if (!fits) throw badReply(`a content block of type ${type.slice(0, 40)} contains a ${delta.type}`)
    }
    if (delta.type === 'text_delta') {
      isFor(type === 'text')
      block.text += count(DELTAS.text_delta.parse(delta).text)
    } else if (delta.type === 'thinking_delta') {
      isFor(type === 'thinking')
      block.text += count(DELTAS.thinking_delta.parse(delta).thinking)
    } else if (delta.type === 'input_json_delta') {
      isFor(type.endsWith('tool_use'))
      block.json += count(DELTAS.input_json_delta.parse(delta).partial_json)
    } else if (delta.type === 'signature_delta') {
      block.signature += DELTAS.signature_delta.parse(delta).signature
    } else if (delta.type === 'citations_delta') {
      block.citations.push(DELTAS.citations_delta.parse(delta).citation)
    }
  }

  function count(more: string): string {
    characters += more.length
    return more
  }

  function apply(type: string, body: unknown): void {
    if (type === 'message_start') {
      const { id = null, usage: reported } = EVENTS.message_start.parse(body).message
      if (begun !== null && begun.id === id && blocks.length === 0) return
      replaced = usage()
      characters = 0
      const isSecond = begun !== null
      begun = { id, usage: toTurnUsage(reported) }
      if (isSecond) throw badReply('a second message starts before the first one has ended')
    } else if (type === 'content_block_start') {
      const { index, content_block: start } = EVENTS.content_block_start.parse(body)
      startBlock(index, start)
    } else if (type === 'content_block_delta') {
      const { index, delta } = EVENTS.content_block_delta.parse(body)
      addDelta(index, delta)
    } else if (type === 'content_block_stop') {
      const { index } = EVENTS.content_block_stop.parse(body)
      if (typeof index === 'number') open.delete(index)
      else open.clear()
    } else if (type === 'message_delta') {
      const { delta, usage: reported } = EVENTS.message_delta.parse(body)
      stopReason = delta.stop_reason ?? stopReason
      refusalCategory = delta.stop_details?.category ?? refusalCategory
      if (begun !== null) begun.usage = mergeUsage(begun.usage, reported)
      if (typeof reported?.output_tokens === 'number') characters = 0
    } else if (type === 'message_stop') isEnded = true
  }

  return {
    usage,
    add({ event, data }) {
      if (isEnded || event === 'ping' || data === '') return
      if (data.trim() === '[DONE]') {
        isDone = true
        return
      }
      let body: unknown
      try {
        body = JSON.parse(data)
      } catch {
        if (event === 'error') throw toError(data)
        const kind = data.trimStart().startsWith('<') ? 'HTML' : 'data that is not JSON'
        fault ??= badReply(`the stream contains ${kind}`)
        return
      }
      const fields = Object(body) as Readonly<Record<string, unknown>>
      const type = typeof fields.type === 'string' ? fields.type : event
      if (type === 'error' || event === 'error' || (type === null && fields.error)) throw toError(body)
      if (type === null) return
      try {
        if (scanJson(data).depth > MAX_DEPTH) throw badReply('the stream contains JSON that is nested too deeply')
        apply(type, body)
      } catch (error) {
        fault ??= error instanceof z.ZodError ? toFault(type, error) : (error as ModelError)
      }
    },
    end() {
      if (fault !== null) throw fault
      if (begun === null) throw badReply('the stream contains no message of the Messages API')
      if (isEnded || stopReason !== null) return { blocks, stopReason, refusalCategory, usage: usage() ?? begun.usage }
      if (isDone) throw badReply('the message ends without a stop reason')
      throw new Error('The stream ended in the middle of a message.')
    },
  }
}

function toFault(type: string, { issues }: z.ZodError): ModelError {
  return badReply(`${type} is invalid (${issues[0]?.path.join('.')}: ${issues[0]?.message})`)
}

const count = z.number().min(0).nullish().catch(null)

/** Usage as the API reports it. Counts that a server does not support are absent or null. */
const ReportedUsage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .nullish()
  .catch(null)

type ReportedUsage = z.infer<typeof ReportedUsage>

/** Maximum ratio of two counts of the same prompt. */
const SAME_COUNT = 1.05

/** Returns the usage that `message_start` reports. Absent counts are 0. */
function toTurnUsage(reported: ReportedUsage): TurnUsage {
  return mergeUsage({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }, reported)
}

/**
 * Returns the usage after a `message_delta`, whose counts replace the earlier ones. Some servers
 * count the whole prompt as input in `message_start`, and report in `message_delta` that all of it
 * was read from the cache. These tokens are counted once. Both counts then differ by a few tokens
 * at most, while a separate count of uncached tokens has no relation to the cached ones.
 */
function mergeUsage(begun: TurnUsage, reported: ReportedUsage): TurnUsage {
  const inputTokens = reported?.input_tokens ?? begun.inputTokens
  const cacheReadTokens = reported?.cache_read_input_tokens ?? begun.cacheReadTokens
  const isCountedTwice =
    begun.cacheReadTokens === 0 &&
    inputTokens === begun.inputTokens &&
    cacheReadTokens >= inputTokens &&
    cacheReadTokens <= inputTokens * SAME_COUNT
  return {
    inputTokens: isCountedTwice ? 0 : inputTokens,
    outputTokens: reported?.output_tokens ?? begun.outputTokens,
    cacheReadTokens,
    cacheWriteTokens: reported?.cache_creation_input_tokens ?? begun.cacheWriteTokens,
  }
}

/** One server-sent event. */
interface StreamEvent {
  readonly event: string | null
  readonly data: string
}

const index = z.number().nullish()
const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '')
const typed = z.looseObject({ type: z.string() })

/** The events of a streamed reply. Fields that compatible servers leave out are optional. */
const EVENTS = {
  message_start: z.object({ message: z.object({ id: z.string().nullish(), usage: ReportedUsage }) }),
  content_block_start: z.object({ index, content_block: typed }),
  content_block_delta: z.object({ index, delta: typed }),
  content_block_stop: z.object({ index }),
  message_delta: z.object({
    delta: z.object({
      stop_reason: z.string().nullish(),
      stop_details: z.object({ category: z.string().nullish() }).nullish().catch(null),
    }),
    usage: ReportedUsage,
  }),
}

const DELTAS = {
  text_delta: z.object({ text }),
  thinking_delta: z.object({ thinking: text }),
  input_json_delta: z.object({ partial_json: text }),
  signature_delta: z.object({ signature: text }),
  citations_delta: z.object({ citation: z.unknown() }),
}

/** What can be said about JSON text without parsing it. */
interface JsonScan {
  /** True if a string, an object or an array is not closed. */
  readonly isOpen: boolean
  /** Number of objects and arrays around the most deeply nested value. */
  readonly depth: number
}

/** Scans JSON text once, also if it is not valid. */
export function scanJson(text: string): JsonScan {
  let level = 0
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at += 1
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{' || char === '[') {
      level += 1
      depth = Math.max(depth, level)
    } else if (char === '}' || char === ']') level -= 1
  }
  return { isOpen: isQuoted || level > 0, depth }
}
