import { createHash } from 'node:crypto'
import { type MessagesRequest, type RequestMessage, toBlocks } from './messages-request.ts'

/**
 * State of the response that a thinking block belongs to: `said` if it is complete, `broken` if a
 * fault or limit cut it off (its turn must be repeated), or `paused` (the conversation may end with
 * it).
 */
export type AnswerMark = 'said' | 'broken' | 'paused'

/**
 * Returns JSON without `cache_control`, which may move from request to request without changing the
 * conversation.
 */
export function toBareJson(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? ''
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Hashes the prefixes of a request. `hashes[i]` covers everything before message `i`: model,
 * system, tools and the earlier messages, byte for byte except for cache breakpoints and the string
 * shorthand for content. The result has one more hash than the request has messages.
 */
export function hashPrefixes(request: MessagesRequest): string[] {
  const system = typeof request.system === 'string' ? [{ type: 'text', text: request.system }] : (request.system ?? [])
  const hashes = [hashText(toBareJson([request.model, system, request.tools ?? []]))]
  for (const message of request.messages) hashes.push(hashText(`${hashes.at(-1)}${toMessageJson(message)}`))
  return hashes
}

function toMessageJson(message: RequestMessage): string {
  return toBareJson([message.role, toBlocks(message.content)])
}

/** Signs a thinking block. The signature covers the block's text and the prefix before its message. */
export function signThinking(prefix: string, thinking: string, mark: AnswerMark): string {
  return `sig-${mark}-${hashText(`${prefix}/${mark}/${thinking}`)}`
}

/** Returns the mark in a signature, or null if this server did not create it. */
export function readMark(signature: string): AnswerMark | null {
  const mark = /^sig-(said|broken|paused)-[0-9a-f]{64}$/.exec(signature)?.[1]
  return (mark as AnswerMark | undefined) ?? null
}

/**
 * Returns the mark of an assistant message, taken from its first thinking block, or `said` if it
 * has no thinking block.
 */
export function readMessageMark(message: RequestMessage): AnswerMark {
  for (const block of toBlocks(message.content)) {
    if (block.type === 'thinking') return readMark(block.signature) ?? 'said'
  }
  return 'said'
}
