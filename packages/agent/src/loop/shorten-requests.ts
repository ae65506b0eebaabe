import type Anthropic from '@anthropic-ai/sdk'
import type { AgentOptions } from './agent-input.ts'
import { CALLER_SAYS, REQUEST_FOLLOWS } from './notes.ts'

/** Share of the soft context limit that the caller's texts may use in one message. */
const SHARE = 0.5

/**
 * Number of ASCII characters per token, a low estimate. Any other character counts as a token, so
 * it weighs as much as this number of ASCII characters.
 */
const ASCII_PER_TOKEN = 3

/**
 * Shortens the caller's texts to what the model's context allows. Short texts stay whole, and long
 * ones share the rest. Keeps the beginning and the end of a text, and replaces its middle with a
 * line that counts the omitted characters.
 */
export function shortenRequests(
  texts: readonly string[],
  { softContextTokens }: Pick<AgentOptions, 'softContextTokens'>,
): string[] {
  const sizes = texts.map((text, index) => ({ index, weight: weigh(text) })).sort((a, b) => a.weight - b.weight)
  const shares = new Map<number, number>()
  let remaining = Math.floor(softContextTokens * SHARE) * ASCII_PER_TOKEN
  for (const [position, { index, weight }] of sizes.entries()) {
    const share = Math.min(weight, Math.floor(remaining / (sizes.length - position)))
    shares.set(index, share)
    remaining -= share
  }
  return texts.map((text, index) => shorten(text, shares.get(index) ?? 0))
}

function shorten(text: string, weight: number): string {
  if (weigh(text) <= weight) return text
  const head = findLength(text, weight / 2)
  const tail = findLength(text, weight / 2, { fromEnd: true })
  const omitted = text.length - head - tail
  return `${text.slice(0, head)}\n${toMark(omitted, text.length)}\n${text.slice(text.length - tail)}`
}

const toMark = (omitted: number, length: number): string =>
  `[Note from the service: ${omitted} of the ${length} characters of this text are omitted here, because it is too long for the model.]`
const MARK = /^\[Note from the service: (\d+) of the (\d+) characters of this text are omitted here, /m

/** A text of the caller of which the model did not receive the middle. Lengths in UTF-16 units. */
interface Omission {
  readonly omitted: number
  readonly characters: number
}

/** Lists the shortened texts of the caller in a message to the model. */
export function listOmissions(blocks: readonly Anthropic.ContentBlockParam[]): Omission[] {
  return blocks.flatMap((block, index) => {
    const before = blocks[index - 1]
    if (block.type !== 'text' || before?.type !== 'text') return []
    if (before.text !== CALLER_SAYS && before.text !== REQUEST_FOLLOWS) return []
    const [, omitted, characters] = MARK.exec(block.text) ?? []
    return omitted === undefined ? [] : [{ omitted: Number(omitted), characters: Number(characters) }]
  })
}

const toWeight = (code: number): number => (code < 128 ? 1 : ASCII_PER_TOKEN)

function weigh(text: string): number {
  let weight = 0
  for (let index = 0; index < text.length; index += 1) weight += toWeight(text.charCodeAt(index))
  return weight
}

/** Returns the length of the longest part with at most this weight, without half a character. */
function findLength(text: string, weight: number, { fromEnd = false } = {}): number {
  let used = 0
  let length = 0
  while (length < text.length) {
    used += toWeight(text.charCodeAt(fromEnd ? text.length - 1 - length : length))
    if (used > weight) break
    length += 1
  }
  const edge = text.charCodeAt(fromEnd ? text.length - length : length - 1)
  const isHalf = length > 0 && (fromEnd ? isLow(edge) : isHigh(edge))
  return isHalf ? length - 1 : length
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
