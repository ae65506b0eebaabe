import { type MessagesRequest, type RequestMessage, toBlocks } from '../messages-api/messages-request.ts'
import type { JobFacts, Match } from './plan/rule.ts'
import { matchRules } from './rules.ts'

export interface FoundPrompt {
  /** The sentence to follow, or null if no prompt contains one. */
  match: Match | null
  /** Index of the message that contains the prompt. */
  position: number
}

/**
 * Finds the newest prompt that contains a sentence. A prompt is the last text block in a user
 * message without tool results. Earlier blocks of the message (quoted instruction files, earlier
 * prompts, a diff) are not followed.
 */
export function findPrompt(request: MessagesRequest): FoundPrompt {
  for (let position = request.messages.length - 1; position >= 0; position -= 1) {
    const message = request.messages[position]
    const text = message ? readPrompt(message) : null
    const match = text === null ? null : matchRules(text)
    if (match) return { match, position }
  }
  return { match: null, position: 0 }
}

/**
 * Returns the sources that the first message lists, as rows `- NAME: DESCRIPTION` of a block of their
 * own.
 */
export function readFacts({ messages: [first] }: MessagesRequest): JobFacts {
  const blocks = first ? toBlocks(first.content).filter((block) => block.type === 'text') : []
  const list = blocks.find(({ text }) => text.startsWith('Sources of this job'))?.text ?? ''
  const names = [...list.matchAll(/^- ([a-z0-9-]+): /gm)].map(([, name = '']) => name)
  return { sources: names.filter((name) => name !== 'docs') }
}

function readPrompt(message: RequestMessage): string | null {
  if (message.role !== 'user') return null
  const blocks = toBlocks(message.content)
  if (blocks.some((block) => block.type === 'tool_result')) return null
  return blocks.filter((block) => block.type === 'text').at(-1)?.text ?? null
}
