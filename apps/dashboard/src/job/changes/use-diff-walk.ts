import type { FileChange } from '@corrigenda/contracts'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useAnnounce } from '../../components/announcer.tsx'
import { useToast } from '../../components/toast.tsx'
import type { JobPlace } from '../page/job-place.ts'
import type { DiffRow } from './build-rows.ts'
import type { DiffListHandle } from './diff-list.tsx'
import { findLines, findRow, listChanges } from './find-rows.ts'
import { describeRange, type FileRange, formatRange, readRange, toRange } from './line-range.ts'

/** Space above a change that was jumped to, in px, for the lines before it. */
const CONTEXT = 48

export interface DiffWalk {
  readonly goToFile: (index: number) => void
  /** Moves to the next or previous file. */
  readonly walkFiles: (step: 1 | -1) => void
  /** Moves to the next or previous change. */
  readonly walkChanges: (step: 1 | -1) => void
  /** Returns the lines of the change at or below the top of the window. */
  readonly findChange: () => FileRange | null
  /** Returns the action, after which the header of the file is at the top of the window if it was. */
  readonly keepHeader: <Rest extends unknown[]>(
    act: (index: number, ...rest: Rest) => void,
  ) => (index?: number, ...rest: Rest) => void
}

interface DiffWalkInput {
  readonly files: readonly FileChange[]
  readonly rows: readonly DiffRow[]
  readonly list: RefObject<DiffListHandle | null>
  readonly current: number
  readonly target: JobPlace
  readonly open: (index: number) => void
  readonly setPlace: (place: JobPlace) => void
}

/** Moves through the files and changes, and keeps the address of the page up to date. */
export function useDiffWalk(input: DiffWalkInput): DiffWalk {
  const announce = useAnnounce()
  const toast = useToast()
  // The functions below never change, so they read the newest values from here.
  const latest = useRef(input)
  latest.current = input
  const pending = useRef<number | null>(null)
  const { files, rows, list, target, open } = input
  useLayoutEffect(() => {
    if (pending.current !== null) list.current?.scrollToRow(findHead(rows, pending.current))
    pending.current = null
  }, [rows, list])

  const reached = useRef<JobPlace | null>(null)
  useEffect(() => {
    if (reached.current === target || target.file === undefined) return
    const file = files.findIndex(({ path }) => path === target.file)
    if (file === -1) return
    const range = readRange(target.line ?? '')
    const row = range && findRow(rows, file, range)
    const isClosed = rows.some((one) => one.kind === 'file' && one.file === file && !one.isOpen)
    if (range && isClosed) return open(file)
    reached.current = target
    list.current?.focusRow(row ?? findHead(rows, file), row === null ? 0 : CONTEXT)
  }, [target, files, rows, list, open])

  const toPlace = useCallback((file: number, row: DiffRow | undefined): FileRange | null => {
    const range = toRange(findLines(row) ?? [])
    const path = latest.current.files[file]?.path
    return range && path !== undefined ? { ...range, path } : null
  }, [])
  const goToFile = useCallback((index: number) => {
    const { list, rows, files, setPlace } = latest.current
    const path = files[index]?.path
    if (path === undefined) return
    list.current?.focusRow(findHead(rows, index))
    setPlace({ tab: 'changes', file: path })
  }, [])
  const walkFiles = useCallback(
    (step: 1 | -1) => {
      const { list, rows, files, current } = latest.current
      const jump = rows[list.current?.findJump() ?? -1]
      const from = jump?.file ?? current
      // The start of the current file is the previous file's header if the page is within the file.
      const isWithin = step === -1 && jump?.kind !== 'file' && (list.current?.isScrolledInto(from) ?? false)
      const next = isWithin ? from : from + step
      if (!files[next]) return toast(step === 1 ? 'This is the last file.' : 'This is the first file.')
      goToFile(next)
      announce(`File ${next + 1} of ${files.length}: ${files[next].path}`)
    },
    [announce, toast, goToFile],
  )
  const walkChanges = useCallback(
    (step: 1 | -1) => {
      const { list, rows, files, setPlace } = latest.current
      const changes = listChanges(rows)
      const jump = list.current?.findJump() ?? null
      const top = jump ?? list.current?.findTopRow() ?? 0
      const at =
        step === 1
          ? changes.findIndex((index) => (jump === null ? index >= top : index > top))
          : changes.findLastIndex((index) => index < top)
      const row = rows[changes[at] ?? -1]
      const place = row && toPlace(row.file, row)
      if (!row || !place) return toast(step === 1 ? 'There are no more changes.' : 'This is the first change.')
      list.current?.focusRow(changes[at] ?? 0, CONTEXT)
      setPlace({ tab: 'changes', file: place.path, line: formatRange(place) })
      announce(`Change ${at + 1} of ${changes.length}: ${files[row.file]?.path}, ${describeRange(place)}`)
    },
    [announce, toast, toPlace],
  )
  const findChange = useCallback(() => {
    const { list, rows } = latest.current
    const top = list.current?.findJump() ?? list.current?.findTopRow() ?? 0
    const row = rows[listChanges(rows).find((index) => index >= top) ?? -1]
    return row ? toPlace(row.file, row) : null
  }, [toPlace])
  const keepHeader: DiffWalk['keepHeader'] = useCallback(
    (act) =>
      (index = latest.current.current, ...rest) => {
        if (latest.current.list.current?.isHeaderAtTop(index)) pending.current = index
        act(index, ...rest)
        // An action without an effect on the rows does not affect later ones.
        setTimeout(() => {
          pending.current = null
        }, 500)
      },
    [],
  )
  return useMemo(
    () => ({ goToFile, walkFiles, walkChanges, findChange, keepHeader }),
    [goToFile, walkFiles, walkChanges, findChange, keepHeader],
  )
}

const findHead = (rows: readonly DiffRow[], file: number): number =>
  Math.max(
    0,
    rows.findIndex((row) => row.kind === 'file' && row.file === file),
  )
