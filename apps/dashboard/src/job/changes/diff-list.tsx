import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Block } from '../prose/split-blocks.ts'
import type { DiffRow } from './build-rows.ts'
import { useDiffScroll } from './use-diff-scroll.ts'

const HEIGHTS: Readonly<Record<Exclude<DiffRow['kind'], 'line' | 'block' | 'split'>, number>> = {
  file: 45,
  note: 36,
  gap: 37,
  comment: 150,
  end: 17,
}

const CODE_LINE = 20

const PROSE_LINE = 26

/** Average widths of a character, in px. */
const CODE_CHARACTER = 7.3

const PROSE_CHARACTER = 7.2

/** Width of the line numbers, in px. */
const NUMBERS = 118

/** Maximum width of a paragraph, in px. */
const MAX_PROSE = 620

export interface DiffListHandle {
  /**
   * Scrolls a row below the elements that stick to the top of the window.
   * @param space between them in px
   */
  scrollToRow(index: number, space?: number): void
  /** Scrolls to a row and moves the focus to it. */
  focusRow(index: number, space?: number): void
  /** Index of the row of the last jump, or null if the page was scrolled since. */
  findJump(): number | null
  /** Index of the first row below these elements. */
  findTopRow(): number
  /** True if the start of the file is above the window, so that its header sticks to the top. */
  isScrolledInto(file: number): boolean
  /** True if the header of the file is at the top of the window, also if the file starts there. */
  isHeaderAtTop(file: number): boolean
}

interface DiffListProps {
  readonly rows: readonly DiffRow[]
  readonly render: (row: DiffRow, index: number) => ReactNode
  /** Called with the index of the file at the top of the window. */
  readonly onFile: (file: number) => void
  readonly ref?: Ref<DiffListHandle>
}

/**
 * The rows of all files, each file in a section whose header sticks to the top of the window. Only
 * rows in or near the window are rendered. The list scrolls with the page.
 */
export function DiffList({ rows, render, onFile, ref }: DiffListProps) {
  const list = useRef<HTMLDivElement>(null)
  const [{ margin, width }, setPlace] = useState({ margin: 0, width: 900 })
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect()
      if (box) setPlace({ margin: Math.round(box.top + window.scrollY), width: Math.round(box.width) })
    }
    measure()
    // Content above the list can grow, for example when the prompt is expanded.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const heads = useMemo(() => rows.flatMap((row, index) => (row.kind === 'file' ? [index] : [])), [rows])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => guessHeight(rows[index], width),
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range)
        const head = heads[rows[indexes[0] ?? 0]?.file ?? 0]
        return head === undefined || indexes.includes(head) ? indexes : [head, ...indexes]
      },
      [rows, heads],
    ),
    overscan: 12,
    scrollMargin: margin,
  })
  const readTop = () =>
    Number.parseFloat(list.current ? getComputedStyle(list.current).getPropertyValue('--bar') : '') || 0
  const find = useCallback(
    (index: number) => {
      const row = list.current?.querySelector(`[data-index="${index}"]`) ?? null
      // A header can be away from its place, at the start of its section.
      return row?.closest(rows[index]?.kind === 'file' ? '[data-section]' : '[data-index]') ?? null
    },
    [rows],
  )
  const { scrollToRow, findJump } = useDiffScroll(virtualizer, list, find)
  const readHeader = () => list.current?.querySelector('.diff-file')?.getBoundingClientRect().height ?? 0
  const readGap = (index: number) => readTop() + (rows[index]?.kind === 'file' ? 0 : readHeader())
  const readStart = (file: number) => find(heads[file] ?? -1)?.getBoundingClientRect().top ?? 0
  const focus = (index: number) =>
    list.current?.querySelector<HTMLElement>(`[data-index="${index}"] button`)?.focus({ preventScroll: true })
  useImperativeHandle(ref, () => ({
    findJump,
    scrollToRow: (index, space = 0) => scrollToRow(index, () => readGap(index) + space),
    focusRow(index, space = 0) {
      const before = document.activeElement
      scrollToRow(
        index,
        () => readGap(index) + space,
        () => {
          // The user may have moved on to another element, such as a comment.
          if ([before, document.body].includes(document.activeElement)) focus(index)
        },
      )
    },
    findTopRow() {
      const top = window.scrollY + readTop() + readHeader() + 1
      virtualizer.getTotalSize()
      return virtualizer.measurementsCache.findIndex(({ end }) => end > top)
    },
    isScrolledInto: (file) => readStart(file) < readTop(),
    // A file that was jumped to can be off by a fraction of a pixel.
    isHeaderAtTop: (file) => readStart(file) < readTop() + 1,
  }))
  const items = virtualizer.getVirtualItems()
  const top = items.find((item) => item.end > (virtualizer.scrollOffset ?? 0) + 60)
  const file = rows[top?.index ?? 0]?.file ?? 0
  useLayoutEffect(() => onFile(file), [file, onFile])
  const total = virtualizer.getTotalSize()
  const shown = [...new Set(items.map(({ index }) => rows[index]?.file ?? 0))]
  return (
    <div ref={list} className="diff-list" style={{ height: total }} data-testid="diff">
      {shown.map((one) => {
        const head = heads[one] ?? 0
        const start = virtualizer.measurementsCache[head]?.start ?? margin
        const end = virtualizer.measurementsCache[(heads[one + 1] ?? rows.length) - 1]?.end ?? start
        return (
          <section
            key={one}
            className="diff-section"
            data-section=""
            style={{ top: start - margin, height: end - start }}
          >
            {items.map((item) => {
              const row = rows[item.index]
              if (row?.file !== one) return null
              const place = row.kind === 'file' ? {} : { transform: `translateY(${item.start - start}px)` }
              return (
                <div
                  key={item.key}
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  className={row.kind === 'file' ? 'diff-list-head' : 'diff-list-row'}
                  style={place}
                >
                  {render(row, item.index)}
                </div>
              )
            })}
          </section>
        )
      })}
    </div>
  )
}

/**
 * Estimates a row's height in px before it is measured. The scroll bar moves less while the user
 * scrolls, the closer the estimate is.
 * @param width of the list in px
 */
function guessHeight(row: DiffRow | undefined, width: number): number {
  if (row === undefined) return CODE_LINE
  switch (row.kind) {
    case 'line':
      return guessLine(row.line.text, width - NUMBERS)
    case 'block':
      return guessBlock(row.pair.after ?? row.pair.before, width)
    case 'split':
      return Math.max(...row.lines.map(({ text }) => guessLine(text, width / 2 - 60)))
    default:
      return HEIGHTS[row.kind]
  }
}

const guessLine = (text: string, width: number): number =>
  Math.max(1, Math.ceil((Math.min(text.length, 2_000) * CODE_CHARACTER) / Math.max(width, 80))) * CODE_LINE

function guessBlock(block: Block | null, width: number): number {
  switch (block?.kind) {
    case 'text': {
      const space = Math.max(80, Math.min(width - 34, MAX_PROSE))
      return 8 + Math.max(1, Math.ceil((block.text.length * PROSE_CHARACTER) / space)) * PROSE_LINE
    }
    case 'lines':
      return 26 + Math.min(block.lines.length, 120) * 18
    case 'table':
      return 8 + Math.min(block.rows.length, 120) * 31
    default:
      return 34
  }
}
