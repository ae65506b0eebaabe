import { toPromptTokens } from '../model/to-cost.ts'
import type { RunState } from './read-state.ts'

/**
 * Upper bound of the average characters per token of any text. A lower token count means that text
 * is missing.
 */
const MAX_CHARS_PER_TOKEN = 8
/** Tolerance, because the counts of a server vary slightly between calls. */
const SLACK = 0.9

/**
 * Detects that the server read less than was sent. Some servers (Ollama by default) silently
 * truncate a prompt that does not fit, and the model then works without its task or its tools. The
 * reported tokens are compared with a lower bound of everything that was sent, and with the
 * previous prompt, because a conversation only grows. The second comparison is skipped if earlier
 * thinking may have been dropped, which is allowed.
 * @returns the reported tokens and the minimum expected, or null if nothing is missing or nothing
 *   was reported
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
 * Counts the characters of all texts in a value, without thinking. Runs of one character use few
 * tokens and count as four characters.
 */
function countChars(value: unknown): number {
  if (typeof value === 'string') return value.replace(/(.)\1{4,}/gs, '$1$1$1$1').length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countChars(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  const fields = value as Readonly<Record<string, unknown>>
  if (fields.type === 'thinking' || fields.type === 'redacted_thinking') return 0
  return Object.values(fields).reduce((sum: number, one) => sum + countChars(one), 0)
}
