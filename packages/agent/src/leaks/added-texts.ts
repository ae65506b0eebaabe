import { decodeText, toLines, type WorkspaceChange } from '@corrigenda/git/workspace'
import { toAddedLines } from '../policy/to-added-lines.ts'
import type { TextLine } from '../text/render-lines.ts'
import { toViews } from '../text/to-views.ts'
import type { FindLeaksInput } from './leak.ts'
import { type Squeezed, squeezeText } from './squeeze.ts'

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

/** Matches do not continue from one text to the next, because no file has this code unit. */
export const SEPARATOR = 0xffff

export interface StreamLine {
  readonly text: AddedText
  /** 1-based, in the text. */
  readonly line: number
  readonly isRow: boolean
  readonly isEncoded: boolean
  /** Positions in the stream, end exclusive. */
  readonly start: number
  readonly end: number
}

/** All texts of a change in all forms, reduced to letters and digits, as one stream. */
export interface AddedStream extends Squeezed {
  /** Lines that are not empty, in ascending order of `start`. */
  readonly lines: readonly StreamLine[]
  /** Position from which the texts have no digits. */
  readonly exactFrom: number
  /** Returns the index of the line at a position. */
  findLine(at: number): number
}

export function buildAddedStream(texts: readonly AddedText[]): AddedStream {
  const lines: StreamLine[] = []
  const parts: Uint16Array[] = []
  let length = 0
  const append = (codes: Uint16Array) => {
    parts.push(codes)
    length += codes.length
  }
  const add = (text: AddedText, view: readonly TextLine[]) => {
    for (const { text: words, line, isRow, isEncoded } of view) {
      const squeezed = squeezeText(words)
      if (squeezed.length === 0) continue
      lines.push({ text, line, isRow, isEncoded, start: length, end: length + squeezed.length })
      append(squeezed)
    }
    append(Uint16Array.of(SEPARATOR))
  }
  for (const text of texts) for (const view of text.views) add(text, view)
  const exactFrom = length
  for (const text of texts) add(text, text.unnumbered)
  const codes = new Uint16Array(length)
  let at = 0
  for (const part of parts) {
    codes.set(part, at)
    at += part.length
  }
  return {
    codes,
    length,
    lines,
    exactFrom,
    findLine(position) {
      let low = 0
      let high = lines.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((lines[middle]?.start ?? 0) <= position) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}
