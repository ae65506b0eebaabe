import { memo } from 'react'
import type { DiffRow } from './build-rows.ts'
import { CommentView } from './comment-view.tsx'
import type { DiffActions } from './diff-actions.ts'
import { DiffLineView } from './diff-line-view.tsx'
import { FileHead } from './file-head.tsx'
import { containsLine, describeRange, type FileRange, toRange } from './line-range.ts'
import { ProseView } from './prose-view.tsx'

interface DiffRowViewProps {
  readonly row: DiffRow
  readonly path: string
  /** The lines of this file that the address names. */
  readonly picked: FileRange | null
  readonly isViewed: boolean
  readonly actions: DiffActions
}

/** One row of the change list. Memoized for smooth scrolling. */
export const DiffRowView = memo(function DiffRowView({ row, path, picked, isViewed, actions }: DiffRowViewProps) {
  switch (row.kind) {
    case 'file':
      return <FileHead row={row} isViewed={isViewed} actions={actions} />
    case 'note':
      return <p className="diff-note">{row.text}</p>
    case 'place':
      return <p className="diff-place">{row.text}</p>
    case 'line':
      return <DiffLineView line={row.line} path={path} picked={picked} actions={actions} />
    case 'block':
      return <BlockView row={row} path={path} picked={picked} actions={actions} />
    case 'columns':
      return (
        <div className="diff-columns" aria-hidden="true">
          <span>Source</span>
          <span>Rendered</span>
        </div>
      )
    case 'beside':
      return <BesideView row={row} path={path} picked={picked} actions={actions} />
    case 'comment':
      return <CommentView comment={row.comment} actions={actions} />
    case 'end':
      return <div className="diff-end" />
  }
})

type ContentProps<Kind extends DiffRow['kind']> = Pick<DiffRowViewProps, 'path' | 'picked' | 'actions'> & {
  readonly row: DiffRow & { kind: Kind }
}

/** A rendered block, with a button that selects its lines. */
function BlockView({ row: { pair, lines }, path, picked, actions }: ContentProps<'block'>) {
  const range = toRange(lines)
  const isPicked = picked !== null && lines.some((line) => containsLine(picked, line))
  return (
    <div className="diff-block" data-picked={isPicked || undefined}>
      {range === null ? null : (
        <button
          type="button"
          className="diff-block-pick"
          data-pick=""
          tabIndex={-1}
          title={`Select ${describeRange(range)}`}
          onClick={(event) => actions.pick({ ...range, path }, event.shiftKey)}
        >
          <span className="sr-only">Select {describeRange(range)}</span>
          <span className="diff-block-number" data-number={range.from} aria-hidden="true" />
        </button>
      )}
      <ProseView pair={pair} />
    </div>
  )
}

/** Source lines next to their rendered block. */
function BesideView({ row: { lines, pair, part }, ...rest }: ContentProps<'beside'>) {
  return (
    <div className="diff-beside" data-testid="diff-beside" data-part={part ?? undefined}>
      <div className="diff-beside-source">
        {lines.map((line) => (
          <DiffLineView key={`${line.oldNumber} ${line.newNumber}`} line={line} {...rest} />
        ))}
      </div>
      <div className="diff-beside-prose">{pair ? <ProseView pair={pair} /> : null}</div>
    </div>
  )
}
