import type { FileChange } from '@corrigenda/contracts'
import { memo } from 'react'
import { Icon } from '../../components/icon.tsx'
import type { MarkedLine } from '../patch/mark-hunk.ts'
import type { DiffRow } from './build-rows.ts'
import { LineCounts } from './line-counts.tsx'
import { ProseView } from './prose-view.tsx'
import { SpanText } from './span-text.tsx'
import './diff-row-view.css'

/** One row of the change list. Memoized for smooth scrolling. */
export const DiffRowView = memo(function DiffRowView({ row, onToggle }: DiffRowViewProps) {
  switch (row.kind) {
    case 'file':
      return <FileHead row={row} onToggle={onToggle} />
    case 'note':
      return <p className="diff-note">{row.text}</p>
    case 'place':
      return <p className="diff-place">{row.text}</p>
    case 'line':
      return <DiffLineView line={row.line} />
    case 'block':
      return <ProseView pair={row.pair} />
    case 'columns':
      return (
        <div className="diff-columns" aria-hidden="true">
          <span>Source</span>
          <span>Rendered</span>
        </div>
      )
    case 'beside':
      return <BesideView row={row} />
    case 'end':
      return <div className="diff-end" />
  }
})

interface DiffRowViewProps {
  readonly row: DiffRow
  readonly onToggle: (file: number) => void
}

const STATUS: Readonly<Record<FileChange['status'], string>> = { added: 'new', modified: '', removed: 'deleted' }

function FileHead({ row, onToggle }: { row: DiffRow & { kind: 'file' }; onToggle: (file: number) => void }) {
  const { path, status, additions, deletions } = row.change
  return (
    <h3 className="diff-file" data-testid="diff-file">
      <button type="button" className="diff-file-toggle" aria-expanded={row.isOpen} onClick={() => onToggle(row.file)}>
        <Icon name="chevron" />
        <span className="diff-file-path">
          {row.oldPath === null ? null : <span className="muted">{row.oldPath} → </span>}
          {path}
        </span>
        {STATUS[status] === '' ? null : <span className="diff-file-status">{STATUS[status]}</span>}
        <LineCounts additions={additions} deletions={deletions} />
        {row.isOpen ? null : <span className="diff-file-status">show</span>}
      </button>
    </h3>
  )
}

/** Source lines next to their rendered block. */
function BesideView({ row: { lines, pair, part } }: { row: DiffRow & { kind: 'beside' } }) {
  return (
    <div className="diff-beside" data-testid="diff-beside" data-part={part ?? undefined}>
      <div className="diff-beside-source">
        {lines.map((line) => (
          <DiffLineView key={`${line.oldNumber} ${line.newNumber}`} line={line} />
        ))}
      </div>
      <div className="diff-beside-prose">{pair ? <ProseView pair={pair} /> : null}</div>
    </div>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const SCREEN_READER_PREFIX = { same: '', added: 'added: ', removed: 'removed: ' } as const

function DiffLineView({ line }: { line: MarkedLine }) {
  const { kind, oldNumber, newNumber, text, spans, hasNoNewline } = line
  return (
    <div className="diff-line" data-kind={kind} data-testid="diff-line">
      <span className="diff-number" data-number={oldNumber ?? ''} />
      <span className="diff-number" data-number={newNumber ?? ''} />
      <span className="diff-sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <code className="diff-text">
        {SCREEN_READER_PREFIX[kind] === '' ? null : <span className="sr-only">{SCREEN_READER_PREFIX[kind]}</span>}
        <SpanText spans={spans ?? [{ text, isChanged: false }]} />
        {hasNoNewline ? <span className="span-more"> (no newline at end of file)</span> : null}
      </code>
    </div>
  )
}
