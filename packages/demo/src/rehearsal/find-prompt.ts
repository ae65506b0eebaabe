import { type MessagesRequest, type RequestMessage, toBlocks } from '../messages-api/messages-request.ts'
import type { JobFacts, Match } from './plan/rule.ts'
import { understand } from './understand.ts'

export interface FoundPrompt {
  /** What to do, or null if the prompt is not understood. */
  match: Match | null
  /** Index of the message that contains the prompt. */
  position: number
}

/**
 * Finds what the newest prompt asks for. A prompt is the last text block in a user message without
 * tool results. Earlier blocks of the message (quoted instruction files, earlier prompts, a diff)
 * and notes from the service are not followed.
 */
export function findPrompt(request: MessagesRequest): FoundPrompt {
  for (let position = request.messages.length - 1; position >= 0; position -= 1) {
    const message = request.messages[position]
    const text = message ? readPrompt(message) : null
    if (text === null || text.startsWith('Note from the service:')) continue
    return { match: understand(text), position }
  }
  return { match: null, position: 0 }
}

/**
 * Returns the sources that the first message lists, as rows `- NAME: DESCRIPTION` of a block of their
 * own.
 */
export function readFacts({ messages: [first] }: MessagesRequest): Pick<JobFacts, 'sources'> {
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
