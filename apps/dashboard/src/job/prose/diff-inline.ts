import { diffArrays } from 'diff'
import type { Change, InlineRun } from './prose-block.ts'
import { type InlineToken, splitInline } from './split-inline.ts'

const MAX_EDITS = 600
/**
 * Minimum share of common characters. Below this share, the entire text is marked as removed and
 * inserted.
 */
const MIN_SHARED = 0.2

/**
 * Compares two versions of text word by word. Null means that the text does not exist on that side.
 */
export function diffInline(before: string | null, after: string | null): InlineRun[] {
  if (before === null || after === null) {
    const change = before === null ? 'inserted' : 'removed'
    return toRuns(splitInline(before ?? after ?? '').map((token) => ({ ...token, change })))
  }
  const now = splitInline(after)
  if (before === after) return toRuns(mark(now, 'same'))
  const old = splitInline(before)
  const changes = diffArrays(old, now, { comparator: isSame, maxEditLength: MAX_EDITS })
  const whole = () => [...mark(old, 'removed'), ...mark(now, 'inserted')]
  if (changes === undefined) return toRuns(whole())
  const marked = changes.flatMap(({ value, added, removed }) =>
    mark(value, added ? 'inserted' : removed ? 'removed' : 'same'),
  )
  const shared = countSigns(marked.filter(({ change }) => change === 'same'))
  if (shared < Math.max(countSigns(old), countSigns(now)) * MIN_SHARED) return toRuns(whole())
  return toRuns(bridgeBlanks(marked))
}

interface MarkedToken extends InlineToken {
  readonly change: Change
}

const mark = (tokens: readonly InlineToken[], change: Change): MarkedToken[] =>
  tokens.map((token) => ({ ...token, change }))

const countSigns = (tokens: readonly InlineToken[]): number =>
  tokens.reduce((sum, { text }) => sum + text.trim().length, 0)

const isSame = (a: InlineToken, b: InlineToken): boolean =>
  a.text === b.text &&
  a.href === b.href &&
  a.marks.length === b.marks.length &&
  a.marks.every((m, i) => m === b.marks[i])

/**
 * Groups consecutive changed words, with the removed words first, as in "~~one two~~ three four".
 * Without this step, removed and inserted words would alternate.
 */
function bridgeBlanks(tokens: readonly MarkedToken[]): MarkedToken[] {
  const result: MarkedToken[] = []
  let removed: MarkedToken[] = []
  let inserted: MarkedToken[] = []
  const flush = () => {
    result.push(...removed, ...inserted)
    removed = []
    inserted = []
  }
  for (const [index, token] of tokens.entries()) {
    if (token.change === 'removed') removed.push(token)
    else if (token.change === 'inserted') inserted.push(token)
    else if (token.text === ' ' && removed.length > 0 && inserted.length > 0 && tokens[index + 1]?.change !== 'same') {
      if (tokens[index + 1] === undefined) {
        flush()
        result.push(token)
        continue
      }
      removed.push({ ...token, change: 'removed' })
      inserted.push({ ...token, change: 'inserted' })
    } else {
      flush()
      result.push(token)
    }
  }
  flush()
  return result
}

function toRuns(tokens: readonly MarkedToken[]): InlineRun[] {
  const runs: InlineRun[] = []
  for (const token of tokens) {
    const last = runs.at(-1)
    if (last && last.change === token.change && isSame({ ...last, text: '' }, { ...token, text: '' })) {
      runs[runs.length - 1] = { ...last, text: last.text + token.text }
    } else {
      const { text, marks, href, change } = token
      runs.push({ text, marks, href, change })
    }
  }
  return runs
}
