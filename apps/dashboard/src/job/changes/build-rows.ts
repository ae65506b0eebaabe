import type { FileChange } from '@corrigenda/contracts'
import type { LineComment } from '../memory/job-memory.ts'
import { type DiffHunk, type DiffLine, type FilePatch, parseFilePatch } from '../patch/file-patch.ts'
import { type MarkedLine, markHunk } from '../patch/mark-hunk.ts'
import type { BlockPair } from '../prose/align-blocks.ts'
import { buildProse, isProse } from '../prose/build-prose.ts'
import { type PlacedLines, placeLines } from '../prose/place-lines.ts'

/** The view of Markdown files: rendered with revision marks, source, or both side by side. */
export type DiffView = 'prose' | 'source' | 'both'

/** One row of the change list. `file` is the index of its file. */
export type DiffRow = { readonly key: string; readonly file: number } & (
  | { readonly kind: 'file'; readonly change: FileChange; readonly isOpen: boolean; readonly oldPath: string | null }
  | { readonly kind: 'note'; readonly text: string }
  /** Line range of a hunk in the new file. */
  | { readonly kind: 'place'; readonly text: string }
  /** The titles of the two columns. */
  | { readonly kind: 'columns' }
  | { readonly kind: 'end' }
  /** A comment on the lines above it. */
  | { readonly kind: 'comment'; readonly comment: LineComment }
  | ContentRow
)

/** A row that shows lines of the file. */
export type ContentRow = { readonly key: string; readonly file: number } & (
  | { readonly kind: 'line'; readonly line: MarkedLine }
  | { readonly kind: 'block'; readonly pair: BlockPair; readonly lines: readonly DiffLine[] }
  | ({ readonly kind: 'beside' } & PlacedLines<MarkedLine>)
)

/** Files with more changed lines are initially collapsed. */
const LARGE = 1_000

/** Returns true if a file is initially expanded. */
export function isOpenAtFirst({ additions, deletions }: FileChange): boolean {
  return additions + deletions <= LARGE
}

/** Returns a reader that parses each file's patch once, when it is first shown. */
export function buildPatchReader(): (file: FileChange) => FilePatch {
  const known = new WeakMap<FileChange, FilePatch>()
  return (file) => {
    const patch = known.get(file) ?? parseFilePatch(file)
    known.set(file, patch)
    return patch
  }
}

/** Returns the rows of all files, in order. A collapsed file has only a header row. */
export function buildRows(
  files: readonly FileChange[],
  options: { view: DiffView; isOpen: (index: number) => boolean; readPatch: (file: FileChange) => FilePatch },
): DiffRow[] {
  const rows: DiffRow[] = []
  for (const [file, change] of files.entries()) {
    const isOpen = options.isOpen(file)
    const patch = isOpen ? options.readPatch(change) : null
    rows.push({ kind: 'file', key: `${file}`, file, change, isOpen, oldPath: patch?.oldPath ?? null })
    if (patch === null) continue
    for (const text of patch.notes) rows.push({ kind: 'note', key: `${file} note ${text}`, file, text })
    const asProse = options.view !== 'source' && isProse(change.path)
    if (asProse && options.view === 'both' && patch.hunks.length > 0) {
      rows.push({ kind: 'columns', key: `${file} columns`, file })
    }
    for (const hunk of patch.hunks) {
      const key = `${file} ${hunk.oldStart} ${hunk.newStart}`
      if (patch.hunks.length > 1 || hunk.newStart > 1) rows.push({ kind: 'place', key, file, text: toPlace(hunk) })
      const prose = asProse ? buildProse(hunk) : null
      if (prose?.kind === 'prose' && options.view === 'both') {
        for (const [index, placed] of placeLines(markHunk(hunk.lines), prose.pairs).entries())
          rows.push({ kind: 'beside', key: `${key} p${index}`, file, ...placed })
        continue
      }
      if (prose?.kind === 'prose') {
        const readLines = buildLineReader(hunk)
        for (const [index, pair] of prose.pairs.entries())
          rows.push({ kind: 'block', key: `${key} b${index}`, file, pair, lines: readLines(pair) })
        continue
      }
      if (prose !== null) rows.push({ kind: 'note', key: `${key} note`, file, text: prose.reason })
      for (const [index, line] of markHunk(hunk.lines).entries()) {
        rows.push({ kind: 'line', key: `${key} l${index}`, file, line })
      }
    }
    rows.push({ kind: 'end', key: `${file} end`, file })
  }
  return rows
}

/** Returns a function that lists the lines of a block: its removed lines, then those of the new file. */
function buildLineReader({ lines }: DiffHunk): (pair: BlockPair) => DiffLine[] {
  const old = lines.filter(({ kind }) => kind !== 'added')
  const now = lines.filter(({ kind }) => kind !== 'removed')
  return ({ before, after }) => [
    ...(before ? old.slice(before.from, before.to).filter(({ kind }) => kind === 'removed' || after === null) : []),
    ...(after ? now.slice(after.from, after.to) : []),
  ]
}

function toPlace({ newStart, lines }: FilePatch['hunks'][number]): string {
  const count = lines.filter(({ kind }) => kind !== 'removed').length
  return count <= 1 ? `Line ${newStart}` : `Lines ${newStart}–${newStart + count - 1}`
}
