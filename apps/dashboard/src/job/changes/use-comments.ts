import type { FileChange } from '@corrigenda/contracts'
import { useCallback, useMemo, useRef } from 'react'
import type { LineComment } from '../memory/job-memory.ts'
import type { JobMemoryHandle } from '../memory/use-job-memory.ts'
import { type JobPlace, toPlaceLink } from '../page/job-place.ts'
import type { DiffLine } from '../patch/file-patch.ts'
import type { Lines, ReadChange } from './build-rows.ts'
import type { DiffActions } from './comment-view.tsx'
import { containsLine, describeRange, type FileRange, formatRange, type LineRange } from './line-range.ts'
import type { DiffWalk } from './use-diff-walk.ts'

const MAX_LINES = 20

const MAX_LENGTH = 300

interface CommentsInput {
  readonly files: readonly FileChange[]
  readonly memory: JobMemoryHandle
  readonly readPatch: ReadChange
  readonly picked: FileRange | null
  readonly setPlace: (place: JobPlace) => void
  readonly mayComment: boolean
  readonly walk: DiffWalk
  readonly toggle: (file: number) => void
  readonly setViewed: (file: number, isViewed: boolean) => void
  readonly show: (path: string, lines: Lines | 'whole') => void
}

/** Returns the actions of the rows, and a function that comments on the selected lines or the next change. */
export function useComments(input: CommentsInput): { actions: DiffActions; startComment: () => void } {
  // The actions never change, so they read the newest values from here.
  const latest = useRef(input)
  latest.current = input
  const fresh = useRef<string | null>(null)
  const comment = useCallback((range: FileRange) => {
    const { files, memory, readPatch } = latest.current
    const file = files.find(({ path }) => path === range.path)
    if (!file) return
    // An empty comment moves to the new lines.
    const known = memory.comments.find(({ isOpen, text }) => isOpen && text.trim() === '')
    const id = known?.id ?? Math.random().toString(36).slice(2)
    const { path, side, from, to } = range
    const quote = quoteLines(readPatch(file).lines, range)
    fresh.current = `${id} ${describeRange(range)}`
    memory.putComment({ id, path, side, from, to, quote, text: '', isOpen: true })
  }, [])
  const actions = useMemo<DiffActions>(
    () => ({
      toggle: (file) => latest.current.toggle(file),
      show: (path, lines) => latest.current.show(path, lines),
      setViewed: (file, isViewed) => latest.current.setViewed(file, isViewed),
      pick(range, isExtending) {
        const { picked, setPlace, mayComment } = latest.current
        const grown =
          isExtending && picked && picked.path === range.path && picked.side === range.side
            ? { ...range, from: Math.min(picked.from, range.from), to: Math.max(picked.to, range.to) }
            : range
        setPlace({ tab: 'changes', file: range.path, line: formatRange(grown) })
        if (mayComment) comment(grown)
      },
      putComment: (changed: LineComment) => latest.current.memory.putComment(changed),
      removeComment: (id) => latest.current.memory.removeComment(id),
      takesFocus(comment) {
        const isFresh = fresh.current === comment
        if (isFresh) fresh.current = null
        return isFresh
      },
      toLink: (place) =>
        toPlaceLink({ tab: 'changes', file: place.path, ...('side' in place ? { line: formatRange(place) } : {}) }),
    }),
    [comment],
  )
  const startComment = useCallback(() => {
    const { picked, walk } = latest.current
    const range = picked ?? walk.findChange()
    if (range) actions.pick(range, false)
  }, [actions])
  return { actions, startComment }
}

/** Returns the text of the lines in a range, shortened to its first lines if it is long. */
function quoteLines(all: readonly DiffLine[], range: LineRange): string[] {
  const lines = all.filter((line) => containsLine(range, line)).map(({ text }) => text)
  const shown = lines.slice(0, MAX_LINES).map((text) => {
    const part = text.slice(0, MAX_LENGTH).toWellFormed()
    return part.length < text.length ? `${part}…` : text
  })
  return lines.length > shown.length ? [...shown, '…'] : shown
}
