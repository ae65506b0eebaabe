import type { FileChange } from '@corrigenda/contracts'

/** The number of added and removed lines: "+12 −3". */
export function LineCounts({ additions, deletions }: Pick<FileChange, 'additions' | 'deletions'>) {
  return (
    <span className="line-counts small">
      <span data-tone="inserted">
        +{additions}
        <span className="sr-only"> {additions === 1 ? 'line' : 'lines'} added,</span>
      </span>{' '}
      <span data-tone="removed">
        <span aria-hidden="true">−</span>
        {deletions}
        <span className="sr-only"> {deletions === 1 ? 'line' : 'lines'} removed</span>
      </span>
    </span>
  )
}
