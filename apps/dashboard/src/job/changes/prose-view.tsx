import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { Span } from '../patch/mark-hunk.ts'
import type { BlockPair } from '../prose/align-blocks.ts'
import type { InlineRun, ProseBlock } from '../prose/prose-block.ts'
import { toProseBlock } from '../prose/to-prose-block.ts'
import { InlineRuns } from './inline-runs.tsx'

/** Maximum number of UTF-16 code units shown per line. A note shows how many are hidden. */
const MAX_TEXT = 2_000

/** Maximum number of lines or table rows shown per block. A note shows how many are hidden. */
const MAX_LINES = 120

/** One block of a document, with its deletions and insertions. */
export function ProseView({ pair }: { pair: BlockPair }) {
  const block = useMemo(() => toProseBlock(pair), [pair])
  const { boxes = 0 } = pair.after ?? pair.before ?? {}
  const edge = block.kind === 'lines' && block.shape === 'tag' ? block.info : undefined
  return (
    <div className="prose" data-change={block.change} data-kind={block.kind} data-boxed={boxes > 0 || undefined}>
      <Boxes count={Math.min(boxes, MAX_BOXES)} edge={edge}>
        <ProseContent block={block} />
      </Boxes>
    </div>
  )
}

/** Components that are nested deeper share a box. */
const MAX_BOXES = 5

/** The sides of the components around a block. The innermost has an edge if the block is its tag. */
function Boxes({ count, edge, children }: { count: number; edge?: string | undefined; children: ReactNode }) {
  if (count === 0) return children
  return (
    <Boxes count={count - 1}>
      <div className="prose-box" data-edge={edge}>
        {children}
      </div>
    </Boxes>
  )
}

function ProseContent({ block }: { block: ProseBlock }) {
  switch (block.kind) {
    case 'text':
      return <ProseText block={block} />
    case 'rule':
      return <hr />
    case 'table':
      return <ProseTable block={block} />
    case 'lines':
      return <ProseLines block={block} />
  }
}

function ProseText({ block }: { block: ProseBlock & { kind: 'text' } }) {
  const { shape, runs, was } = block
  const content = (
    <>
      <InlineRuns runs={runs} />
      {was === null ? null : <span className="prose-was">was {was}</span>}
    </>
  )
  switch (shape.tag) {
    case 'heading':
      // Not a heading element, because a heading in the repository document is not a heading of
      // this page.
      return (
        <p className="prose-heading" dir="auto" data-level={shape.level}>
          {content}
        </p>
      )
    case 'item':
      return (
        <p className="prose-item" dir="auto" data-depth={shape.depth}>
          <span className="prose-marker muted">
            {shape.checked === null ? shape.marker : shape.checked ? '☑' : '☐'}
          </span>
          <span>{content}</span>
        </p>
      )
    case 'quote':
      return (
        <p className="prose-quote" dir="auto">
          {content}
        </p>
      )
    case 'paragraph':
      return <p dir="auto">{content}</p>
  }
}

/** Tables and code with more lines show only those near a change, if there is one. */
const LONG = 24
const AROUND = 3

/** Returns the items to show, with the number of items in place of those that are left out. */
function useFold<Item>(items: readonly Item[], isChanged: (item: Item) => boolean, first: number) {
  const [isWhole, setWhole] = useState(false)
  const changes = items.flatMap((item, index) => (isChanged(item) ? [index] : []))
  if (isWhole || items.length <= LONG || changes.length === 0) return { shown: items.slice(0, MAX_LINES), open: null }
  const near = new Set(changes.flatMap((at) => Array.from({ length: 2 * AROUND + 1 }, (_, step) => at + step - AROUND)))
  const shown: (Item | number)[] = []
  for (const [index, item] of items.entries()) {
    const last = shown.at(-1)
    if (index < first || near.has(index)) shown.push(item)
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1
    else shown.push(1)
  }
  const isFolded = shown.some((item) => typeof item === 'number')
  return { shown: shown.slice(0, MAX_LINES), open: isFolded ? () => setWhole(true) : null }
}

const isChangedRun = ({ change, wasHref }: InlineRun) => change !== 'same' || wasHref !== undefined

function ProseTable({ block }: { block: ProseBlock & { kind: 'table' } }) {
  const { shown, open } = useFold(block.rows, ({ cells }) => cells.some((runs) => runs.some(isChangedRun)), 1)
  return (
    <>
      <div className="prose-table">
        <table>
          <tbody>
            {shown.map((item, position) => {
              // The order of the rows and cells never changes, so the index is a stable key.
              const row = `r${position}`
              if (typeof item === 'number') {
                return (
                  <tr key={row}>
                    <td colSpan={100} className="prose-more">
                      {describeCount(item, 'unchanged row')}
                    </td>
                  </tr>
                )
              }
              const { cells } = item
              return (
                <tr key={row}>
                  {cells.map((runs, index) => {
                    const column = `c${index}`
                    return (
                      <td key={column}>
                        <InlineRuns runs={runs} />
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <More count={block.rows.length - shown.length} noun="row" onOpen={open} />
    </>
  )
}

function ProseLines({ block }: { block: ProseBlock & { kind: 'lines' } }) {
  const { shape, info, lines } = block
  const { shown, open } = useFold(lines, ({ change }) => change !== 'same', 0)
  return (
    <>
      <pre className="prose-lines" data-shape={shape}>
        {shape === 'code' && info !== '' ? <span className="prose-info">{info}</span> : null}
        {shown.map((item, index) => {
          const key = `l${index}`
          if (typeof item === 'number') {
            return (
              <span key={key} className="prose-line prose-more">
                {describeCount(item, 'unchanged line')}
                {'\n'}
              </span>
            )
          }
          const { change, spans } = item
          const Tag = change === 'inserted' ? 'ins' : change === 'removed' ? 'del' : 'span'
          return (
            <Tag key={key} className="prose-line">
              <SpanText spans={spans} />
              {'\n'}
            </Tag>
          )
        })}
      </pre>
      <More count={lines.length - shown.length} noun="line" onOpen={open} />
    </>
  )
}

function More({ count, noun, onOpen }: { count: number; noun: string; onOpen: (() => void) | null }) {
  if (onOpen) {
    return (
      <Button variant="quiet" onClick={onOpen}>
        {`Show all ${noun}s`}
      </Button>
    )
  }
  return count <= 0 ? null : (
    <p className="prose-more">{`${describeCount(count, `more ${noun}`)} in the source view.`}</p>
  )
}

const describeCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A line's text with its changed words marked. */
export function SpanText({ spans }: { spans: readonly Span[] }) {
  let remaining = MAX_TEXT
  let left = 0
  const shown = spans.flatMap((span) => {
    const text = span.text.slice(0, remaining).toWellFormed()
    left += span.text.length - text.length
    remaining -= text.length
    return text === '' ? [] : [{ ...span, text }]
  })
  return (
    <>
      {shown.map(({ text, isChanged }, index) => {
        // The order of a line's spans never changes, so the index is a stable key.
        const key = `s${index}`
        return isChanged ? (
          <mark key={key} className="span-changed">
            {text}
          </mark>
        ) : (
          text
        )
      })}
      {left > 0 ? (
        <span className="span-more">{` … ${left} more ${left === 1 ? 'character' : 'characters'}`}</span>
      ) : null}
    </>
  )
}
