import type { MarkedLine } from '../patch/mark-hunk.ts'
import type { DiffActions } from './diff-actions.ts'
import { containsLine, type FileRange, toRange } from './line-range.ts'
import { SpanText } from './span-text.tsx'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const SCREEN_READER_PREFIX = { same: '', added: 'added: ', removed: 'removed: ' } as const

interface DiffLineViewProps {
  readonly line: MarkedLine
  readonly path: string
  readonly picked: FileRange | null
  readonly actions: DiffActions
}

/** A line of source, with its numbers, which select it. */
export function DiffLineView({ line, path, picked, actions }: DiffLineViewProps) {
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
