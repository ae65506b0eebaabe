import type Anthropic from '@anthropic-ai/sdk'
import { CALLER_SAYS } from './notes.ts'
import { quoteAtStart } from './quoted-instructions.ts'
import type { InstructionFile } from './read-instructions.ts'

export interface RepositoryFacts {
  readonly name: string
  readonly baseBranch: string
  /** Anything else worth one line each, for example the title of the site. */
  readonly hints?: readonly string[]
}

export interface FirstMessageInput {
  readonly prompt: string
  readonly repository: RepositoryFacts
  /** From `describeSites`, of the base commit. */
  readonly sites: string
  readonly instructions: readonly InstructionFile[]
  /** Text of the operator, for example the earlier prompts of a follow-up. */
  readonly extraInstructions?: string
  /** What a conversation that was given up had come to; null at the start. */
  readonly handover: string | null
  /** What the caller added while the work was going on, told in an earlier conversation. */
  readonly messages: readonly string[]
}

/**
 * The first user message. The prompt is a block of its own, word for word and last, so that nothing of ours or the repository's can be
 * taken for it.
 */
export function buildFirstMessage(input: FirstMessageInput): Anthropic.TextBlockParam[] {
  const { repository, instructions, extraInstructions, handover, prompt, messages } = input
  const facts = [
    `Repository: ${oneLine(repository.name)}`,
    `Base branch: ${oneLine(repository.baseBranch)}`,
    ...(repository.hints ?? []).map(oneLine),
    input.sites,
  ]
  const texts = [facts.join('\n')]
  if (instructions.length > 0) texts.push(quoteAtStart(instructions))
  if (extraInstructions !== undefined && extraInstructions.trim() !== '') texts.push(extraInstructions)
  if (handover !== null) texts.push(handover)
  texts.push('The request follows in the next block, word for word.')
  texts.push(toSendable(prompt))
  return [...texts.map(toBlock), ...messages.flatMap(quoteMessage)]
}

/** A message of the caller, as a block of its own. */
export function quoteMessage(prompt: string): Anthropic.TextBlockParam[] {
  return [CALLER_SAYS, toSendable(prompt)].map(toBlock)
}

const toBlock = (text: string): Anthropic.TextBlockParam => ({ type: 'text', text: text.toWellFormed() })

/** The API refuses blank text. */
const toSendable = (prompt: string): string => (prompt.trim() === '' ? `(blank request)${prompt}` : prompt)

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').slice(0, 500)
}
