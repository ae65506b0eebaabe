import type { FileChange } from '@corrigenda/contracts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Icon } from '../../components/icon.tsx'
import type { DiffRow } from './build-rows.ts'
import type { DiffActions } from './diff-actions.ts'
import { LineCounts } from './line-counts.tsx'

const STATUS: Readonly<Record<FileChange['status'], string>> = { added: 'new', modified: '', removed: 'deleted' }

interface FileHeadProps {
  readonly row: DiffRow & { kind: 'file' }
  readonly isViewed: boolean
  readonly actions: DiffActions
}

/** The header of a changed file: opens and closes it, and marks it as viewed. */
export function FileHead({ row, isViewed, actions }: FileHeadProps) {
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
