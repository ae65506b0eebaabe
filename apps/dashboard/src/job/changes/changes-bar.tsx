import type { AgentJob, FileChange, JobChanges } from '@corrigenda/contracts'
import { Button } from '../../components/button.tsx'
import { isProse } from '../prose/build-prose.ts'
import type { DiffView } from './build-rows.ts'
import { LineCounts } from './line-counts.tsx'
import { saveText } from './save-text.ts'
import type { ChosenView } from './use-diff-view.ts'

const VIEWS: readonly { id: DiffView; title: string }[] = [
  { id: 'both', title: 'Side by side' },
  { id: 'prose', title: 'Rendered' },
  { id: 'source', title: 'Source' },
]

interface ChangesBarProps {
  readonly job: AgentJob
  readonly changes: JobChanges
  readonly files: readonly FileChange[]
  readonly diffView: ChosenView
  readonly isAnyOpen: boolean
  readonly onToggleAll: () => void
}

/** The totals of a change, and the options of its view. */
export function ChangesBar({ job, changes, files, diffView, isAnyOpen, onToggleAll }: ChangesBarProps) {
  const { view, isWide, choose } = diffView
  const sum = (name: 'additions' | 'deletions') => files.reduce((total, file) => total + file[name], 0)
  return (
    <div className="changes-bar cluster">
      <p>
        {files.length === 1 ? '1 file' : `${files.length} files`}{' '}
        <LineCounts additions={sum('additions')} deletions={sum('deletions')} />
      </p>
      {changes.truncated ? <p className="muted">Some patches are too large to show.</p> : null}
      <div className="cluster changes-tools">
        {files.some(({ path }) => isProse(path)) ? (
          <fieldset className="changes-views">
            <legend className="sr-only">Markdown view</legend>
            {VIEWS.filter(({ id }) => id !== 'both' || isWide).map(({ id, title }) => (
              <label key={id} className="changes-view">
                <input type="radio" name="diff-view" checked={view === id} onChange={() => choose(id)} />
                {title}
              </label>
            ))}
          </fieldset>
        ) : null}
        {files.length > 1 ? (
          <Button variant="quiet" onClick={() => onToggleAll()}>
            {isAnyOpen ? 'Collapse all' : 'Expand all'}
          </Button>
        ) : null}
        <Button variant="quiet" onClick={() => saveText(`${job.id}.patch`, changes.patch, 'text/x-diff')}>
          Download patch
        </Button>
      </div>
    </div>
  )
}
