import type Anthropic from '@anthropic-ai/sdk'
import { CALLER_SAYS, REQUEST_FOLLOWS } from './notes.ts'
import { quoteAtStart } from './quoted-instructions.ts'
import type { InstructionFile } from './read-instructions.ts'

export interface RepositoryFacts {
  readonly name: string
  readonly baseBranch: string
  /** Additional facts, one line each, such as the site title. */
  readonly hints?: readonly string[]
}

interface FirstMessageInput {
  readonly prompt: string
  readonly repository: RepositoryFacts
  /** Result of `describeSites` for the base commit. */
  readonly sites: string
  readonly instructions: readonly InstructionFile[]
  /** Result of `describeSources`. */
  readonly sources?: string | null
  /** Text from the service, such as a follow-up's earlier prompts. */
  readonly extraInstructions?: string
  /** Summary of the replaced conversation, or null in the first conversation. */
  readonly continuation: string | null
  /** Messages from the caller that were delivered to an earlier conversation. */
  readonly messages: readonly string[]
}

/**
 * Builds the first user message. The prompt is a separate, verbatim block at the end, so that no
 * text from the product or the repository can be mistaken for it.
 */
export function buildFirstMessage(input: FirstMessageInput): Anthropic.TextBlockParam[] {
  const { repository, instructions, extraInstructions, continuation, prompt, messages } = input
  const facts = [
    `Repository: ${oneLine(repository.name)}`,
    `Base branch: ${oneLine(repository.baseBranch)}`,
    ...(repository.hints ?? []).map(oneLine),
    input.sites,
  ]
  const texts = [facts.join('\n')]
  if (instructions.length > 0) texts.push(quoteAtStart(instructions))
  if (input.sources) texts.push(input.sources)
  if (extraInstructions !== undefined && extraInstructions.trim() !== '') texts.push(extraInstructions)
  if (continuation !== null) texts.push(continuation)
  texts.push(REQUEST_FOLLOWS)
  texts.push(toSendable(prompt))
  return [...texts.map(toBlock), ...messages.flatMap(quoteMessage)]
}

/** Quotes a message from the caller in its own block, after an introductory note. */
export function quoteMessage(prompt: string): Anthropic.TextBlockParam[] {
  return [CALLER_SAYS, toSendable(prompt)].map(toBlock)
}

const toBlock = (text: string): Anthropic.TextBlockParam => ({ type: 'text', text: text.toWellFormed() })

/** Marks a blank prompt, because the API rejects blank text. */
const toSendable = (prompt: string): string => (prompt.trim() === '' ? `(blank request)${prompt}` : prompt)

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').slice(0, 500)
}
