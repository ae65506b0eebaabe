import { toPromptTokens } from '../model/to-cost.ts'
import type { RunState } from './read-state.ts'

/** More characters than a token has on average in any text; so fewer tokens than this were certainly not all of it. */
const MAX_CHARS_PER_TOKEN = 8
/** Servers count a little differently from call to call. */
const SLACK = 0.9

/**
 * Did the server read less than it was sent? Some (Ollama by default) cut a prompt that does not fit without a word, and the model then works without its
 * task or its tools. Two comparisons with what it reports: against a lower bound of all that was sent, and against the prompt before, since a conversation
 * only grows. The latter is left out where earlier thinking may have been dropped, which is allowed.
 * @returns the tokens it reported and the least that there were, or null when nothing is missing or nothing was reported
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

/** Characters of the texts in it, without thinking; runs of one character, which are few tokens, count as four. */
function countChars(value: unknown): number {
  if (typeof value === 'string') return value.replace(/(.)\1{4,}/gs, '$1$1$1$1').length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countChars(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  const fields = value as Readonly<Record<string, unknown>>
  if (fields.type === 'thinking' || fields.type === 'redacted_thinking') return 0
  return Object.values(fields).reduce((sum: number, one) => sum + countChars(one), 0)
}
