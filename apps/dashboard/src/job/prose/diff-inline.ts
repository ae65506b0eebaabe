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
  const changes = diffArrays(old, now, { comparator: isSameWord, maxEditLength: MAX_EDITS })
  const whole = () => [...mark(old, 'removed'), ...mark(now, 'inserted')]
  if (changes === undefined) return toRuns(whole())
  let [oldAt, nowAt] = [0, 0]
  const marked = changes.flatMap(({ count, added, removed }): MarkedToken[] => {
    const [oldFrom, nowFrom] = [oldAt, nowAt]
    if (!added) oldAt += count
    if (!removed) nowAt += count
    if (removed) return mark(old.slice(oldFrom, oldAt), 'removed')
    const tokens = mark(now.slice(nowFrom, nowAt), added ? 'inserted' : 'same')
    return added ? tokens : tokens.map((token, index) => noteLink(old[oldFrom + index], token))
  })
  const shared = countSigns(marked.filter(({ change }) => change === 'same'))
  if (shared < Math.max(countSigns(old), countSigns(now)) * MIN_SHARED) return toRuns(whole())
  return toRuns(bridgeBlanks(marked))
}

interface MarkedToken extends InlineToken {
  readonly change: Change
  readonly wasHref?: string | null
}

const isLink = ({ marks }: InlineToken): boolean => marks.includes('link')

/** Notes the previous target of a word that stayed the same while its link was added, removed or changed. */
function noteLink(before: InlineToken | undefined, token: MarkedToken): MarkedToken {
  if (!before || (isLink(before) === isLink(token) && before.href === token.href)) return token
  return { ...token, wasHref: isLink(before) ? before.href : null }
}

const mark = (tokens: readonly InlineToken[], change: Change): MarkedToken[] =>
  tokens.map((token) => ({ ...token, change }))

const countSigns = (tokens: readonly InlineToken[]): number =>
  tokens.reduce((sum, { text }) => sum + text.trim().length, 0)

const withoutLink = ({ marks }: InlineToken): readonly string[] => marks.filter((mark) => mark !== 'link')

/** Compares words regardless of their links. The target of an image is part of the image. */
const isSameWord = (a: InlineToken, b: InlineToken): boolean => {
  const [before, after] = [withoutLink(a), withoutLink(b)]
  const isImage = before.includes('image')
  return (
    a.text === b.text &&
    (!isImage || a.href === b.href) &&
    before.length === after.length &&
    before.every((mark, index) => mark === after[index])
  )
}

const isSame = (a: MarkedToken, b: MarkedToken): boolean =>
  a.text === b.text &&
  a.href === b.href &&
  a.wasHref === b.wasHref &&
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
      const { text, marks, href, change, wasHref } = token
      runs.push({ text, marks, href, change, ...(wasHref === undefined ? {} : { wasHref }) })
    }
  }
  return runs
}
