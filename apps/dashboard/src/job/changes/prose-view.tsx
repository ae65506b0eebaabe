import { useMemo } from 'react'
import type { Span } from '../patch/mark-hunk.ts'
import type { BlockPair } from '../prose/align-blocks.ts'
import type { ProseBlock } from '../prose/prose-block.ts'
import { toProseBlock } from '../prose/to-prose-block.ts'
import { InlineRuns } from './inline-runs.tsx'

/** Maximum number of UTF-16 code units shown per line. A note shows how many are hidden. */
const MAX_TEXT = 2_000

/** Maximum number of lines or table rows shown per block. A note shows how many are hidden. */
const MAX_LINES = 120

/** One block of a document, with its deletions and insertions. */
export function ProseView({ pair }: { pair: BlockPair }) {
  const block = useMemo(() => toProseBlock(pair), [pair])
  return (
    <div className="prose" data-change={block.change} data-kind={block.kind}>
      <ProseContent block={block} />
    </div>
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

function ProseTable({ block }: { block: ProseBlock & { kind: 'table' } }) {
  const shown = block.rows.slice(0, MAX_LINES)
  return (
    <>
      <div className="prose-table">
        <table>
          <tbody>
            {shown.map(({ cells }, position) => {
              // The order of the rows and cells never changes, so the index is a stable key.
              const row = `r${position}`
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
      <More count={block.rows.length - shown.length} noun="row" />
    </>
  )
}

function ProseLines({ block }: { block: ProseBlock & { kind: 'lines' } }) {
  const { shape, info, lines } = block
  const shown = lines.slice(0, MAX_LINES)
  return (
    <>
      <pre className="prose-lines" data-shape={shape}>
        {shape === 'code' && info !== '' ? <span className="prose-info">{info}</span> : null}
        {shown.map(({ change, spans }, index) => {
          const Tag = change === 'inserted' ? 'ins' : change === 'removed' ? 'del' : 'span'
          const key = `l${index}`
          return (
            <Tag key={key} className="prose-line">
              <SpanText spans={spans} />
              {'\n'}
            </Tag>
          )
        })}
      </pre>
      <More count={lines.length - shown.length} noun="line" />
    </>
  )
}

function More({ count, noun }: { count: number; noun: string }) {
  return count <= 0 ? null : (
    <p className="prose-more">{`${count} more ${count === 1 ? noun : `${noun}s`} in the source view.`}</p>
  )
}

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
