import { toPromptTokens } from '../model/to-cost.ts'
import type { RunState } from './read-state.ts'

/**
 * Upper bound on the average number of characters per token. If the token count is lower than this
 * implies, part of the prompt is missing.
 */
const MAX_CHARS_PER_TOKEN = 8
/** Tolerance, because a server's counts vary slightly between calls. */
const SLACK = 0.9

/**
 * Detects a prompt that the server has truncated. Some servers (Ollama by default) silently
 * truncate a prompt that does not fit, so the model works without its task or its tools. Compares
 * the reported tokens with a lower bound for everything sent, and with the previous prompt, because
 * a conversation only grows. Skips the second comparison if the conversation contains thinking,
 * because servers may drop earlier thinking.
 * @returns the reported and the minimum expected tokens, or null if the prompt is complete or the
 *   server did not report any tokens
 */
export function findTruncation(state: Pick<RunState, 'header' | 'rows'>): { reported: number; least: number } | null {
  const replies = state.rows.flatMap((row, index) => (row.role === 'assistant' ? [{ row, index }] : []))
  const last = replies.at(-1)
  const reported = last === undefined ? 0 : toPromptTokens(last.row.usage)
  if (last === undefined || reported === 0 || state.header === null) return null
  const fixed = countChars([state.header.system, state.header.tools])
  const sent = state.rows.slice(0, last.index)
  const absolute = Math.floor((fixed + countChars(sent.map(({ content }) => content))) / MAX_CHARS_PER_TOKEN)
  const previous = replies.at(-2)
  const thinks = sent.some((row) => row.role === 'assistant' && row.content.some(({ type }) => /thinking/.test(type)))
  const relative =
    previous === undefined || thinks
      ? 0
      : toPromptTokens(previous.row.usage) +
        Math.floor(
          countChars(state.rows.slice(previous.index, last.index).map(({ content }) => content)) / MAX_CHARS_PER_TOKEN,
        )
  const least = Math.max(absolute, relative)
  return reported < least * SLACK ? { reported, least } : null
}

/**
 * Counts the characters in all strings of a value, excluding thinking. A run of five or more
 * identical characters counts as four, because it uses few tokens.
 */
function countChars(value: unknown): number {
  if (typeof value === 'string') return value.replace(/(.)\1{4,}/gs, '$1$1$1$1').length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countChars(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  const fields = value as Readonly<Record<string, unknown>>
  if (fields.type === 'thinking' || fields.type === 'redacted_thinking') return 0
  return Object.values(fields).reduce((sum: number, one) => sum + countChars(one), 0)
}
