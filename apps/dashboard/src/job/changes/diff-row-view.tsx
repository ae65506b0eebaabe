import type { FileChange } from '@corrigenda/contracts'
import { memo } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Icon } from '../../components/icon.tsx'
import type { MarkedLine } from '../patch/mark-hunk.ts'
import type { DiffRow, Lines } from './build-rows.ts'
import { CommentView, type DiffActions } from './comment-view.tsx'
import { containsLine, describeRange, type FileRange, toRange } from './line-range.ts'
import { ProseView, SpanText } from './prose-view.tsx'
import { LineCounts } from './walk-bar.tsx'

const STATUS: Readonly<Record<FileChange['status'], string>> = {
  added: 'new',
  modified: '',
  removed: 'deleted',
  renamed: 'moved',
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

const SCREEN_READER_PREFIX = { same: '', added: 'added: ', removed: 'removed: ' } as const

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
    case 'gap':
      return <GapView gap={row.gap} onShow={row.isKnown ? (lines) => actions.show(path, lines) : null} />
    case 'line':
      return <DiffLineView line={row.line} path={path} picked={picked} actions={actions} />
    case 'block':
      return <BlockView row={row} path={path} picked={picked} actions={actions} />
    case 'split':
      return (
        <div className="diff-split" data-testid="diff-split">
          {[row.old, row.now].map((line, index) =>
            line === null ? (
              <div key={SIDES[index]} className="diff-line diff-none" />
            ) : (
              <DiffLineView key={SIDES[index]} line={line} path={path} picked={picked} actions={actions} />
            ),
          )}
        </div>
      )
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

const SIDES = ['old', 'new']

/** Number of lines that one step shows. */
const STEP = 20

/** Unchanged lines that are not shown, with buttons that show them. */
function GapView({ gap: { from, to }, onShow }: { gap: Lines; onShow: ((lines: Lines) => void) | null }) {
  const isLong = to - from >= 2 * STEP
  const button = (label: string, lines: Lines) => (
    <Button variant="quiet" onClick={() => onShow?.(lines)}>
      {label}
    </Button>
  )
  return (
    <div className="diff-gap cluster">
      <span>{from === to ? `Line ${from} is unchanged` : `Lines ${from}–${to} are unchanged`}</span>
      {onShow === null ? null : (
        <>
          {isLong ? button(`Show ${from}–${from + STEP - 1}`, { from, to: from + STEP - 1 }) : null}
          {isLong ? button(`Show ${to - STEP + 1}–${to}`, { from: to - STEP + 1, to }) : null}
          {button(isLong ? 'Show all' : 'Show', { from, to })}
        </>
      )}
    </div>
  )
}

interface DiffLineViewProps {
  readonly line: MarkedLine
  readonly path: string
  readonly picked: FileRange | null
  readonly actions: DiffActions
}

/** A line of source, with its numbers, which select it. */
function DiffLineView({ line, path, picked, actions }: DiffLineViewProps) {
  const { kind, oldNumber, newNumber, text, spans, hasNoNewline } = line
  const range = toRange([line])
  const isPicked = picked !== null && containsLine(picked, line)
  return (
    <div className="diff-line" data-kind={kind} data-picked={isPicked || undefined} data-testid="diff-line">
      <button
        type="button"
        className="diff-numbers"
        data-pick=""
        tabIndex={-1}
        aria-label={range ? `Select ${range.side === 'old' ? 'removed line' : 'line'} ${range.from}` : 'Select line'}
        onClick={(event) => range && actions.pick({ ...range, path }, event.shiftKey)}
      >
        <span className="diff-number" data-number={oldNumber ?? ''} />
        <span className="diff-number" data-number={newNumber ?? ''} />
      </button>
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

interface FileHeadProps {
  readonly row: DiffRow & { kind: 'file' }
  readonly isViewed: boolean
  readonly actions: DiffActions
}

/** The header of a changed file: opens and closes it, and marks it as viewed. */
function FileHead({ row, isViewed, actions }: FileHeadProps) {
  const { path, status, additions, deletions } = row.change
  return (
    <div className="diff-file" data-testid="diff-file" data-open={row.isOpen || undefined}>
      <h3 className="grow">
        <button
          type="button"
          className="diff-file-toggle"
          aria-expanded={row.isOpen}
          onClick={() => actions.toggle(row.file)}
        >
          <Icon name="chevron" />
          <span className="diff-file-path clamp" title={path}>
            {row.oldPath === null ? null : <span className="muted">{row.oldPath} → </span>}
            {path}
          </span>
          {STATUS[status] === '' ? null : <span className="diff-file-status muted">{STATUS[status]}</span>}
          <LineCounts additions={additions} deletions={deletions} />
          {row.isOpen || isViewed ? null : <span className="diff-file-status muted">show</span>}
        </button>
      </h3>
      {row.isOpen && (status === 'modified' || status === 'renamed') ? (
        <Button
          variant="quiet"
          icon="jobs"
          iconOnly
          title="Show the whole file, or only its changes"
          onClick={() => actions.show(path, 'whole')}
        >
          Show the whole file {path}, or only its changes
        </Button>
      ) : null}
      <CopyButton text={actions.toLink({ path })} label={`Copy link to ${path}`} iconOnly variant="quiet" />
      <label className="diff-file-viewed">
        <input
          type="checkbox"
          checked={isViewed}
          aria-label={`Viewed ${path}`}
          onChange={(event) => actions.setViewed(row.file, event.currentTarget.checked)}
        />
        <span aria-hidden="true">Viewed</span>
      </label>
    </div>
  )
}
