import type { FileChange } from '@corrigenda/contracts'
import { useMemo, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import type { DiffWalk } from './use-diff-walk.ts'

interface WalkBarProps {
  readonly files: readonly FileChange[]
  readonly current: number
  readonly viewedCount: number
  readonly isViewed: boolean
  readonly walk: DiffWalk
  /** Null for viewers, who cannot comment. */
  readonly onComment: (() => void) | null
  readonly onViewed: (isViewed: boolean) => void
  readonly onToggle: () => void
  readonly onToggleAll: () => void
}

/** The bar above the change, which sticks to the top of the window: progress, and moves by file and change. */
export function WalkBar(props: WalkBarProps) {
  const { files, viewedCount, walk, onComment } = props
  const latest = useRef(props)
  latest.current = props
  const mayComment = onComment !== null
  useShortcuts(
    useMemo(
      () => [
        { keys: 'd', label: 'Next change', run: () => walk.walkChanges(1) },
        { keys: 'D', label: 'Previous change', run: () => walk.walkChanges(-1) },
        { keys: 'f', label: 'Next file', run: () => walk.walkFiles(1) },
        { keys: 'F', label: 'Previous file', run: () => walk.walkFiles(-1) },
        {
          keys: 'v',
          label: 'Mark the file as viewed, or not',
          run: () => latest.current.onViewed(!latest.current.isViewed),
        },
        { keys: 'x', label: 'Collapse or expand the file', run: () => latest.current.onToggle() },
        { keys: 'X', label: 'Collapse or expand all files', run: () => latest.current.onToggleAll() },
        ...(mayComment
          ? [
              {
                keys: 'c',
                label: 'Comment on the selected lines or the change',
                run: () => latest.current.onComment?.(),
              },
            ]
          : []),
      ],
      [walk, mayComment],
    ),
  )
  return (
    <section className="walk-bar" aria-label="Move through the changes">
      <p className="grow muted" data-testid="viewed">
        {viewedCount} of {files.length} viewed
      </p>
      {onComment ? (
        <Button variant="quiet" icon="comment" iconOnly title="Comment (c)" onClick={onComment}>
          Comment on the selected lines or the change
        </Button>
      ) : null}
      <Button variant="quiet" icon="fileUp" iconOnly title="Previous file (F)" onClick={() => walk.walkFiles(-1)}>
        Previous file
      </Button>
      <Button variant="quiet" icon="fileDown" iconOnly title="Next file (f)" onClick={() => walk.walkFiles(1)}>
        Next file
      </Button>
      <Button variant="quiet" icon="up" iconOnly title="Previous change (D)" onClick={() => walk.walkChanges(-1)}>
        Previous change
      </Button>
      <Button variant="quiet" icon="down" iconOnly title="Next change (d)" onClick={() => walk.walkChanges(1)}>
        Next change
      </Button>
    </section>
  )
}

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
