import {
  type AnswerBlock,
  hashPrefixes,
  hashText,
  type MessagesRequest,
  type RequestMessage,
  readMessageMark,
  toBareJson,
  toBlocks,
} from '@corrigenda/demo/messages-api'

/** Hashes of all requests and responses so far. */
export interface Conversations {
  /**
   * Model, system prompt and tools that a first user message was sent with, keyed by that message.
   */
  bases: Map<string, Set<string>>
  /** Complete requests. */
  asked: Set<string>
  /** Responses to each complete request, keyed by the request. */
  answered: Map<string, Set<string>>
}

export interface Violation {
  /** Position in the transcript. */
  request: number
  /** Index of the changed message. */
  message: number
  reason: string
}

export function openConversations(): Conversations {
  return { bases: new Map(), asked: new Set(), answered: new Map() }
}

/**
 * Returns the reason why a request does not extend an earlier one, or null if it does. A request
 * that continues after a response must repeat the earlier request and its response byte for byte. A
 * conversation with an unseen first message (started before a restart) is accepted.
 */
export function findViolation(seen: Conversations, request: MessagesRequest): Omit<Violation, 'request'> | null {
  const prefixes = hashPrefixes(request)
  const first = hashText(toBareJson(request.messages[0]))
  const base = prefixes[0] ?? ''
  const last = request.messages.findLastIndex((message) => message.role === 'assistant')
  const bases = seen.bases.get(first)
  const violation = bases && last >= 0 ? compare(seen, request, prefixes, bases, last) : null
  seen.bases.set(first, (bases ?? new Set()).add(base))
  seen.asked.add(prefixes.at(-1) ?? '')
  return violation
}

function compare(
  seen: Conversations,
  request: MessagesRequest,
  prefixes: string[],
  bases: Set<string>,
  last: number,
): Omit<Violation, 'request'> | null {
  if (!bases.has(prefixes[0] ?? '')) {
    return { message: 0, reason: 'model, system or tools changed within the conversation' }
  }
  const prefix = prefixes[last] ?? ''
  if (!seen.asked.has(prefix)) {
    return { message: last - 1, reason: 'the messages before the last response do not match any earlier request' }
  }
  const message = request.messages[last]
  const answers = seen.answered.get(prefix)
  if (!message || !answers || readMessageMark(message) === 'broken') return null
  return answers.has(hashMessage(message)) ? null : { message: last, reason: 'the last response was altered' }
}

/** Records a response, so that the next request can be checked against it. */
export function rememberAnswer(seen: Conversations, prefix: string, content: AnswerBlock[]): void {
  const answers = seen.answered.get(prefix) ?? new Set()
  answers.add(hashText(JSON.stringify(content.map(toComparable))))
  seen.answered.set(prefix, answers)
}

function hashMessage(message: RequestMessage): string {
  const blocks = toBlocks(message.content).map((block) =>
    block.type === 'tool_use' ? toComparable({ ...block, json: JSON.stringify(block.input) }) : toComparable(block),
  )
  return hashText(JSON.stringify(blocks))
}

type Comparable = Partial<Record<'text' | 'thinking' | 'signature' | 'id' | 'name' | 'json', string>> & { type: string }

function toComparable({ type, text, thinking, signature, id, name, json }: Comparable): unknown[] {
  return [type, text ?? thinking ?? id, signature ?? name, json].map((part) => part ?? null)
}
