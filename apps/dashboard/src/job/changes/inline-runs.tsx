import type { ReactNode } from 'react'
import { ExternalLink } from '../../components/button.tsx'
import type { InlineRun } from '../prose/prose-block.ts'
import type { Mark } from '../prose/split-inline.ts'

/**
 * Words with revision marks. Everything is rendered as text. Markup from the repository is never
 * interpreted.
 */
export function InlineRuns({ runs }: { runs: readonly InlineRun[] }) {
  return groupCode(runs).map((group, position) => {
    // The order of the runs never changes, so the index is a stable key.
    const key = `g${position}`
    const words = group.runs.map((run, index) => {
      const own = `${key} r${index}`
      return <RunWords key={own} run={run} />
    })
    return group.isCode ? <code key={key}>{words}</code> : <span key={key}>{words}</span>
  })
}

function RunWords({ run: { change, text, marks, href, wasHref } }: { run: InlineRun }) {
  // A space between words that changed is not a link of its own, which would have no name.
  const shown = text.trim() === '' ? marks.filter((mark) => mark !== 'link') : marks
  const words = shown.reduceRight<ReactNode>((inner, mark) => wrap(mark, inner, href), text)
  if (wasHref !== undefined) {
    const note = describeLink(wasHref, marks.includes('link') ? href : null)
    return (
      <span className="prose-link-change" data-kind={marks.includes('link') ? 'inserted' : 'removed'} title={note}>
        {words}
        <span className="sr-only"> ({note})</span>
      </span>
    )
  }
  if (change === 'inserted') return <ins>{words}</ins>
  if (change === 'removed') return <del>{words}</del>
  return words
}

function describeLink(before: string | null, after: string | null): string {
  if (after === null) return `link removed: ${before ?? ''}`
  return before === null ? `link added: ${after}` : `link changed from ${before} to ${after}`
}

/** Groups adjacent words with code formatting, so that they share one element. */
function groupCode(runs: readonly InlineRun[]): { isCode: boolean; runs: InlineRun[] }[] {
  const groups: { isCode: boolean; runs: InlineRun[] }[] = []
  for (const run of runs) {
    const isCode = run.marks.includes('code')
    const last = groups.at(-1)
    if (last?.isCode === isCode) last.runs.push(run)
    else groups.push({ isCode, runs: [run] })
  }
  return groups
}

function wrap(mark: Mark, inner: ReactNode, href: string | null): ReactNode {
  switch (mark) {
    case 'strong':
      return <strong>{inner}</strong>
    case 'emphasis':
      return <em>{inner}</em>
    case 'strike':
      return <s>{inner}</s>
    case 'code':
      // `InlineRuns` wraps the entire group in one element.
      return inner
    case 'literal':
      return <code data-literal="">{inner}</code>
    case 'image':
      return (
        <span className="prose-image" title={href ?? undefined}>
          Image: {inner}
        </span>
      )
    case 'link':
      return (
        <span className="prose-link" title={href ?? undefined}>
          <ExternalLink href={href ?? ''}>{inner}</ExternalLink>
        </span>
      )
  }
}
