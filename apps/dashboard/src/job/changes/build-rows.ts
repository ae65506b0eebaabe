import type { ChangedText, FileChange } from '@corrigenda/contracts'
import type { LineComment } from '../memory/job-memory.ts'
import { type DiffLine, type FilePatch, parseFilePatch } from '../patch/file-patch.ts'
import { type MarkedLine, markHunk } from '../patch/mark-hunk.ts'
import type { BlockPair } from '../prose/align-blocks.ts'
import { buildProse, isProse } from '../prose/build-prose.ts'

/** Markdown rendered with revision marks; the source; or the source before and after the change. */
export type DiffView = 'prose' | 'source' | 'split'

/** Lines of the new file, 1-based and inclusive. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** One row of the change list. `file` is the index of its file. */
export type DiffRow = { readonly key: string; readonly file: number } & (
  | { readonly kind: 'file'; readonly change: FileChange; readonly isOpen: boolean; readonly oldPath: string | null }
  | { readonly kind: 'note'; readonly text: string }
  /** Lines that are not shown. They cannot be shown if `isKnown` is false. */
  | { readonly kind: 'gap'; readonly gap: Lines; readonly isKnown: boolean }
  | { readonly kind: 'end' }
  /** A comment on the lines above it. */
  | { readonly kind: 'comment'; readonly comment: LineComment }
  | ContentRow
)

type Content =
  | { readonly kind: 'line'; readonly line: MarkedLine }
  | { readonly kind: 'block'; readonly pair: BlockPair }
  /** A line before and after the change. At most one of them is null. */
  | { readonly kind: 'split'; readonly old: MarkedLine | null; readonly now: MarkedLine | null }

/** A row that shows lines of the file. */
export type ContentRow = { readonly key: string; readonly file: number; readonly lines: readonly DiffLine[] } & Content

/** Files with more changed lines are initially collapsed. */
const LARGE = 1_000
/** Lines of context around a change. */
const CONTEXT = 3

/** Returns true if a file is initially expanded. */
export function isOpenAtFirst({ additions, deletions }: FileChange): boolean {
  return additions + deletions <= LARGE
}

/** Both versions of a file, with its changed words and blocks. Each part is computed when it is first read. */
export interface ReadFile extends FilePatch {
  readonly marked: readonly MarkedLine[]
  /** Null if the file cannot be rendered. */
  readonly prose: readonly BlockPair[] | null
}

export type ReadChange = (file: FileChange) => ReadFile

/** Returns a reader that parses each file's patch once, when it is first shown. */
export function buildPatchReader(texts: readonly ChangedText[]): ReadChange {
  const byPath = new Map(texts.map(({ path, text }) => [path, text]))
  const known = new WeakMap<FileChange, ReadFile>()
  return (file) => {
    const patch = known.get(file) ?? readLazily(parseFilePatch(file, byPath.get(file.path) ?? null))
    known.set(file, patch)
    return patch
  }
}

function readLazily(patch: FilePatch): ReadFile {
  let marked: readonly MarkedLine[] | undefined
  let prose: readonly BlockPair[] | null | undefined
  return {
    ...patch,
    get marked() {
      marked ??= markHunk(patch.lines)
      return marked
    },
    get prose() {
      if (prose === undefined) prose = buildProse(patch.lines)
      return prose
    },
  }
}

interface RowOptions {
  readonly view: DiffView
  readonly isOpen: (index: number) => boolean
  readonly readPatch: ReadChange
  /** Returns the lines to show in addition to the changes. */
  readonly findShown: (path: string) => readonly Lines[]
}

/** Returns the rows of all files, in order. A collapsed file has only a header row. */
export function buildRows(files: readonly FileChange[], options: RowOptions): DiffRow[] {
  const { view, isOpen, readPatch, findShown } = options
  return files.flatMap((change, file): DiffRow[] => {
    const patch = isOpen(file) ? readPatch(change) : null
    const oldPath = patch?.oldPath ?? change.previousPath ?? null
    const head: DiffRow = { kind: 'file', key: `${file}`, file, change, isOpen: patch !== null, oldPath }
    if (patch === null) return [head]
    const isRendered = view === 'prose' && isProse(change.path) && patch.lines.length > 0
    const prose = isRendered && patch.isWhole ? patch.prose : null
    const notes = isRendered && prose === null ? [...patch.notes, AS_SOURCE] : patch.notes
    const content = prose
      ? toBlocks(prose, patch.lines)
      : view === 'split'
        ? toSplit(patch.marked)
        : toLines(patch.marked)
    return [
      head,
      ...notes.map((text): DiffRow => ({ kind: 'note', key: `${file} note ${text}`, file, text })),
      ...toShown(content, patch, findShown(change.path)).map(
        (row): DiffRow => ({ ...row, key: `${file} ${row.key}`, file }),
      ),
      { kind: 'end', key: `${file} end`, file },
    ]
  })
}

/** Gaps with fewer lines are shown, because the row of a gap takes as much space. */
const SHORT = 3

const toNumbers = ({ lines }: { lines: readonly DiffLine[] }) => lines.flatMap(({ newNumber }) => newNumber ?? [])

const AS_SOURCE = 'Shown as source, because the whole page is not available or has very long lines.'

type Unit = Content & { readonly key: string; readonly lines: readonly DiffLine[] }

const toLines = (lines: readonly MarkedLine[]): Unit[] =>
  lines.map((line) => ({ kind: 'line', key: `l${line.oldNumber} ${line.newNumber}`, line, lines: [line] }))

/** Places each removed line next to the added line that replaces it. */
function toSplit(lines: readonly MarkedLine[]): Unit[] {
  const units: Unit[] = []
  const add = (old: MarkedLine | null, now: MarkedLine | null) => {
    const both = [old, now].flatMap((line) => line ?? [])
    const key = `s${old?.oldNumber} ${now?.newNumber}`
    units.push({ kind: 'split', key, old, now, lines: old === now ? both.slice(1) : both })
  }
  for (let at = 0; at < lines.length; ) {
    const count = (kind: DiffLine['kind'], from: number) => {
      const end = lines.findIndex((line, index) => index >= from && line.kind !== kind)
      return (end === -1 ? lines.length : end) - from
    }
    const line = lines[at]
    if (line?.kind === 'same') {
      add(line, line)
      at += 1
      continue
    }
    const removed = count('removed', at)
    const added = count('added', at + removed)
    for (let index = 0; index < Math.max(removed, added); index += 1) {
      add(
        index < removed ? (lines[at + index] ?? null) : null,
        index < added ? (lines[at + removed + index] ?? null) : null,
      )
    }
    at += removed + added
  }
  return units
}

/** Returns the blocks with their lines: the removed ones, then those of the new file. */
function toBlocks(pairs: readonly BlockPair[], lines: readonly DiffLine[]): Unit[] {
  const old = lines.filter(({ kind }) => kind !== 'added')
  const now = lines.filter(({ kind }) => kind !== 'removed')
  return pairs.map((pair, index) => {
    const { before, after } = pair
    const own = [
      ...(before ? old.slice(before.from, before.to).filter(({ kind }) => kind === 'removed' || after === null) : []),
      ...(after ? now.slice(after.from, after.to) : []),
    ]
    return { kind: 'block', key: `b${index}`, pair, lines: own }
  })
}

type ShownRow = Unit | { readonly kind: 'gap'; readonly key: string; readonly gap: Lines; readonly isKnown: boolean }

/** Returns the changed units with their context and the lines asked for, and a gap for each sequence of others. */
function toShown(units: readonly Unit[], { lines, isWhole }: FilePatch, asked: readonly Lines[]): ShownRow[] {
  const near = new Set<number | null>()
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    for (const { newNumber } of lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)) near.add(newNumber)
  }
  const isShown = ({ kind, newNumber: at }: DiffLine) =>
    !isWhole || kind !== 'same' || near.has(at) || (at !== null && asked.some(({ from, to }) => at >= from && at <= to))
  const rows: ShownRow[] = []
  let next = 1
  let hidden: Unit[] = []
  const addGap = (gap: Lines) => rows.push({ kind: 'gap', key: `gap ${gap.to}`, gap, isKnown: isWhole })
  const flush = () => {
    const numbers = hidden.flatMap(toNumbers)
    const [from = 0, to = 0] = [numbers[0], numbers.at(-1)]
    if (to - from < SHORT) rows.push(...hidden)
    else addGap({ from, to })
    hidden = []
  }
  for (const unit of units) {
    if (!unit.lines.some(isShown)) {
      hidden.push(unit)
      continue
    }
    flush()
    const numbers = toNumbers(unit)
    const first = numbers[0] ?? next
    if (!isWhole && first > next) addGap({ from: next, to: first - 1 })
    next = (numbers.at(-1) ?? next - 1) + 1
    rows.push(unit)
  }
  flush()
  return rows
}
