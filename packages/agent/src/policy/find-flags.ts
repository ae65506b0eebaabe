import { HIDDEN_CHARACTERS } from '@corrigenda/git/text'
import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { decodeText } from '@corrigenda/git/workspace'
import { type ActiveElement, type ElementKind, listActiveElements } from './list-active-elements.ts'
import { pairMoved, toAddedLines } from './to-added-lines.ts'

type FlagKind = ElementKind | 'invisible_characters'

/** A new element in the change that needs a reviewer's attention. */
export interface Flag {
  readonly kind: FlagKind
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Host of an external resource, or the code points found. Safe to print. */
  readonly detail: string
}

/**
 * Returns new external resources, scripts, frames, redirects, forms and invisible characters, in
 * file order. An element that the file, or the file that it was moved from, already contained is
 * not new.
 */
export function findFlags(changes: readonly WorkspaceChange[]): Flag[] {
  const invisible = toAddedLines(changes).flatMap(({ path, line, text }): Flag[] => {
    const found = new Set(Array.from(text.matchAll(HIDDEN_CHARACTERS), ([char]) => toCodePoint(char)))
    // A byte order mark at the start of a file is not hidden text.
    if (line === 1 && text.startsWith('\uFEFF') && !text.includes('\uFEFF', 1)) found.delete('U+FEFF')
    return found.size === 0 ? [] : [{ kind: 'invisible_characters', path, line, detail: [...found].join(' ') }]
  })
  const elements = pairMoved(changes).flatMap(({ path, before, after }) =>
    findNew(listElements(before), listElements(after)).map(
      ({ kind, line, detail }): Flag => ({ kind, path, line, detail }),
    ),
  )
  const order = new Map(changes.map(({ path }, index) => [path, index]))
  return [...elements, ...invisible].sort(
    (a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0) || a.line - b.line,
  )
}

function listElements(bytes: Uint8Array | null): readonly ActiveElement[] {
  const file = bytes === null ? 'binary' : decodeText(bytes)
  return typeof file === 'string' ? [] : listActiveElements(file.text)
}

/** Returns the elements that occur more often than before. */
function findNew(before: readonly ActiveElement[], after: readonly ActiveElement[]): ActiveElement[] {
  const left = new Map<string, number>()
  const toKey = ({ kind, source }: ActiveElement) => `${kind} ${source}`
  for (const element of before) left.set(toKey(element), (left.get(toKey(element)) ?? 0) + 1)
  return after.filter((element) => {
    const count = left.get(toKey(element)) ?? 0
    left.set(toKey(element), count - 1)
    return count <= 0
  })
}

function toCodePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
