import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { DiffRow } from './build-rows.ts'
import { DiffRowView } from './diff-row-view.tsx'
import './diff-list.css'

const HEIGHTS: Readonly<Record<DiffRow['kind'], number>> = {
  file: 41,
  note: 36,
  columns: 29,
  place: 29,
  line: 20,
  block: 34,
  beside: 42,
  end: 17,
}

function guessHeight(row: DiffRow | undefined): number {
  return row?.kind === 'beside'
    ? Math.max(HEIGHTS.beside, row.lines.length * HEIGHTS.line)
    : HEIGHTS[row?.kind ?? 'line']
}

export interface DiffListHandle {
  scrollToRow(index: number): void
}

export interface DiffListProps {
  readonly rows: readonly DiffRow[]
  readonly onToggle: (file: number) => void
  /** Called with the index of the file at the top of the window. */
  readonly onFile: (file: number) => void
  readonly ref?: Ref<DiffListHandle>
}

/**
 * The rows of all files. Only rows in or near the window are rendered. The list scrolls with the
 * page.
 */
export function DiffList({ rows, onToggle, onFile, ref }: DiffListProps) {
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    // Content above the list can grow, for example when the prompt is expanded.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  // Side-by-side rows can contain many lines, so fewer rows are rendered outside the window.
  const overscan = rows.some(({ kind }) => kind === 'beside') ? 4 : 12
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => guessHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan,
    scrollMargin: margin,
    scrollPaddingStart: 48,
  })
  useImperativeHandle(ref, () => ({
    scrollToRow: (index) => virtualizer.scrollToIndex(index, { align: 'start' }),
  }))
  const items = virtualizer.getVirtualItems()
  const top = items.find((item) => item.end > (virtualizer.scrollOffset ?? 0) + 60)
  const file = rows[top?.index ?? 0]?.file ?? 0
  useLayoutEffect(() => onFile(file), [file, onFile])
  return (
    <div ref={list} className="diff-list" style={{ height: virtualizer.getTotalSize() }} data-testid="diff">
      {items.map((item) => {
        const row = rows[item.index]
        if (!row) return null
        return (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className="diff-list-row"
            style={{ transform: `translateY(${item.start - margin}px)` }}
          >
            <DiffRowView row={row} onToggle={onToggle} />
          </div>
        )
      })}
    </div>
  )
}
