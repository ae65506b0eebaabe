import { decodeText, toLines, type WorkspaceChange } from '@corrigenda/git/workspace'
import { toAddedLines } from '../policy/to-added-lines.ts'
import type { Pacer } from './build-pacer.ts'
import type { FindLeaksInput } from './leak.ts'
import type { TextLine } from './text-line.ts'
import { toViews } from './to-views.ts'

/** Text that a change publishes: the added lines of a file, or a part of the description. */
export interface AddedText {
  /** Path of a changed file, or null. */
  readonly path: string | null
  /** Name of the text if it is not a file, such as `The title`. */
  readonly name: string
  readonly lines: readonly TextLine[]
  /** Forms in which the lines are compared. The first one is `lines`. */
  readonly views: readonly TextLine[][]
}

/** Returns every text that a change publishes. Files that are not text are skipped. */
export async function listAddedTexts(
  input: Pick<FindLeaksInput, 'changes' | 'title' | 'body' | 'notes'>,
  pace: Pacer,
): Promise<AddedText[]> {
  const { changes, title, body, notes = [] } = input
  const byPath = new Map<string, TextLine[]>()
  const fenced = new Map(changes.map((change) => [change.path, findFenced(change)]))
  for (const { path, line, text } of toAddedLines(changes)) {
    const lines = byPath.get(path) ?? []
    lines.push({ text, line, isRow: fenced.get(path)?.has(line) !== true && isRow(text), isEncoded: false })
    byPath.set(path, lines)
  }
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path)
  const others = [
    ...(added.length === 0 ? [] : [['The name of a new file', added.join('\n')] as const]),
    ['The title', title ?? ''] as const,
    ['The description', body] as const,
    ...notes.map((note, index) => [`Note ${index + 1} of the evidence`, note] as const),
  ]
  const texts: AddedText[] = []
  const add = async (path: string | null, name: string, lines: readonly TextLine[]) => {
    texts.push({ path, name, lines, views: await toViews(lines, pace) })
  }
  for (const [path, lines] of byPath) await add(path, JSON.stringify(path), lines)
  for (const [name, text] of others) if (text.trim() !== '') await add(null, name, split(text))
  return texts
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
