import type { FileChange } from '@corrigenda/contracts'
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'

const OMITTED = {
  binary: 'The file is not text, so its lines cannot be shown.',
  not_utf8: 'The file is not UTF-8 text, so its lines cannot be shown.',
  too_large: 'The change is too large to show here. See the pull request.',
} as const
/**
 * One line of a patch. `oldNumber` and `newNumber` are 1-based, and null if the line does not exist
 * on that side.
 */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly oldNumber: number | null
  readonly newNumber: number | null
  readonly text: string
  /** True for the last line of a file without a trailing newline. */
  readonly hasNoNewline: boolean
}

/** Both versions of one file. */
export interface FilePatch {
  readonly path: string
  /** The previous path of a moved file, or the source path of a copied one. */
  readonly oldPath: string | null
  /** The lines of both versions in order, or only those near a change. */
  readonly lines: readonly DiffLine[]
  /** True if `lines` contains all lines. */
  readonly isWhole: boolean
  /** Notes about the file, one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Parses the unified patch of one file into numbered lines. Never throws. If the patch is invalid,
 * returns a note instead of lines. The path is taken from `file`, never from the patch header.
 * @param text the file after the change, from which the lines between the hunks are read; null if
 * it is not known
 */
export function parseFilePatch(
  file: Pick<FileChange, 'path' | 'status' | 'patch' | 'omitted'>,
  text: string | null,
): FilePatch {
  const nothing = { path: file.path, oldPath: null, lines: [], isWhole: false }
  if (file.patch === null) return { ...nothing, notes: [OMITTED[file.omitted ?? 'too_large']] }
  const parsed = readPatch(file.patch)
  if (parsed === null) return { ...nothing, notes: ['The patch for this file cannot be shown line by line.'] }
  const { hunks } = parsed
  const whole = text === null ? null : fillGaps(hunks, text)
  const notes = toNotes(parsed)
  return {
    path: file.path,
    oldPath: parsed.isRename === true || parsed.isCopy === true ? toPath(parsed.oldFileName) : null,
    lines: whole ?? hunks.flatMap(toLines),
    isWhole: whole !== null || file.status === 'added' || file.status === 'removed',
    notes: hunks.length === 0 && notes.length === 0 ? ['The file is empty.'] : notes,
  }
}

function readPatch(patch: string): StructuredPatch | null {
  try {
    return parsePatch(patch)[0] ?? null
  } catch {
    return null
  }
}

/** Returns all lines of both versions, or null if the text does not match the hunks. */
function fillGaps(hunks: readonly StructuredPatchHunk[], text: string): DiffLine[] | null {
  const now = text.split('\n')
  const isEnded = now.at(-1) === ''
  if (isEnded) now.pop()
  const lines: DiffLine[] = []
  let [old, at] = [1, 1]
  const fill = (end: number) => {
    for (; at < end; at += 1, old += 1) {
      const hasNoNewline = at === now.length && !isEnded
      lines.push({ kind: 'same', oldNumber: old, newNumber: at, text: now[at - 1] ?? '', hasNoNewline })
    }
  }
  for (const hunk of hunks) {
    if (hunk.newStart - at !== hunk.oldStart - old) return null
    fill(hunk.newStart)
    for (const line of toLines(hunk)) {
      if (line.newNumber !== null && now[line.newNumber - 1] !== line.text) return null
      lines.push(line)
      if (line.kind !== 'added') old += 1
      if (line.kind !== 'removed') at += 1
    }
  }
  if (at > now.length + 1) return null
  fill(now.length + 1)
  return lines
}

function toLines(hunk: StructuredPatchHunk): DiffLine[] {
  const lines: DiffLine[] = []
  let oldNumber = hunk.oldStart
  let newNumber = hunk.newStart
  for (const line of hunk.lines) {
    const mark = line[0]
    const text = line.slice(1)
    const last = lines.at(-1)
    if (mark === '\\' && last) lines[lines.length - 1] = { ...last, hasNoNewline: true }
    else if (mark === '+') {
      lines.push({ kind: 'added', oldNumber: null, newNumber, text, hasNoNewline: false })
      newNumber += 1
    } else if (mark === '-') {
      lines.push({ kind: 'removed', oldNumber, newNumber: null, text, hasNoNewline: false })
      oldNumber += 1
    } else {
      lines.push({ kind: 'same', oldNumber, newNumber, text, hasNoNewline: false })
      oldNumber += 1
      newNumber += 1
    }
  }
  return lines
}

function toNotes(patch: StructuredPatch): string[] {
  const { oldMode, newMode } = patch
  const notes: string[] = []
  if (patch.isRename === true && patch.hunks.length === 0) notes.push('Only the path of the file changed.')
  if (patch.isCopy === true) notes.push(`Copied from ${toPath(patch.oldFileName)}.`)
  if (patch.isBinary === true) notes.push(OMITTED.binary)
  if (oldMode !== undefined && newMode !== undefined && oldMode !== newMode) {
    notes.push(`File mode changed from ${oldMode} to ${newMode}.`)
  } else if (newMode === '100755') notes.push('The file is executable.')
  return notes
}

const toPath = (name: string | undefined): string => (name ?? '').replace(/^[ab]\//, '')
