import { decodeText, toLines, type WorkspaceChange } from '@corrigenda/git/workspace'
import { toAddedLines } from '../policy/to-added-lines.ts'
import type { TextLine } from '../text/text-line.ts'
import { toViews } from '../text/to-views.ts'
import type { FindLeaksInput } from './leak.ts'

/** Text that a change publishes: the added lines of a file, or a part of the description. */
export interface AddedText {
  /** Path of a changed file, or null. */
  readonly path: string | null
  /** Name of the text if it is not a file, such as `The title`. */
  readonly name: string
  /** Forms in which the lines are compared. */
  readonly views: readonly (readonly TextLine[])[]
  /** The form that a reader sees, without digits. Numbers between the words make no difference. */
  readonly unnumbered: readonly TextLine[]
}

/** Returns the name of a note of the evidence. */
export const toNoteName = (index: number): string => `Note ${index + 1} of the evidence`

/** Returns every text that a change publishes. Files that are not text are skipped. */
export function listAddedTexts(input: Pick<FindLeaksInput, 'changes' | 'title' | 'body' | 'notes'>): AddedText[] {
  const { changes, title, body, notes = [] } = input
  const byPath = new Map<string, TextLine[]>()
  const fenced = new Map(changes.map((change) => [change.path, findFenced(change)]))
  for (const { path, line, text } of toAddedLines(changes)) {
    const lines = byPath.get(path) ?? []
    lines.push({ text, line, isRow: fenced.get(path)?.has(line) !== true && isRow(text), isEncoded: false })
    byPath.set(path, lines)
  }
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path)
  const others: (readonly [name: string, text: string])[] = [
    ['The name of a new file', added.join('\n')],
    ['The title', title ?? ''],
    ['The description', body],
    ...notes.map((note, index) => [toNoteName(index), note] as const),
  ]
  return [
    ...Array.from(byPath, ([path, lines]) => toText(path, JSON.stringify(path), lines)),
    ...others.filter(([, text]) => text.trim() !== '').map(([name, text]) => toText(null, name, split(text))),
  ]
}

function toText(path: string | null, name: string, lines: readonly TextLine[]): AddedText {
  const { rendered, all } = toViews(lines)
  const unnumbered = rendered.map((line) => ({ ...line, text: line.text.replace(/\d/g, '') }))
  const isSame = unnumbered.every(({ text }, index) => text === rendered[index]?.text)
  return { path, name, views: all, unnumbered: isSame ? [] : unnumbered }
}

function split(text: string): TextLine[] {
  const lines = toLines(text.replaceAll('\r\n', '\n'))
  const inside = toFenced(lines)
  return lines.map((line, index) => ({
    text: line,
    line: index + 1,
    isRow: !inside.has(index + 1) && isRow(line),
    isEncoded: false,
  }))
}

function findFenced({ after }: WorkspaceChange): ReadonlySet<number> {
  const file = after === null ? 'binary' : decodeText(after)
  return typeof file === 'string' ? new Set() : toFenced(toLines(file.text))
}

/** Returns the numbers of the lines inside code fences. */
function toFenced(lines: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>()
  let open: string | null = null
  for (const [index, line] of lines.entries()) {
    const mark = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (open !== null) inside.add(index + 1)
    if (mark === undefined) continue
    if (open === null) open = mark
    else if (mark.startsWith(open)) open = null
  }
  return inside
}

const isRow = (text: string): boolean =>
  /^[\s>]*(?:\||[-*+]\s|\d{1,3}[.)]\s|#{1,6}\s|<(?:td|tr|li|dt|dd|h[1-6])\b)/i.test(text)
