import type { AgentJob, JobChanges } from '@corrigenda/contracts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { isProse } from '../prose/build-prose.ts'
import { buildPatchReader, buildRows, type DiffView, isOpenAtFirst } from './build-rows.ts'
import { DiffList, type DiffListHandle } from './diff-list.tsx'
import { EvidenceList } from './evidence-list.tsx'
import { FileTree } from './file-tree.tsx'
import { LineCounts } from './line-counts.tsx'
import { saveText } from './save-text.ts'
import { useDiffView } from './use-diff-view.ts'
import './changes-tab.css'

const VIEWS: readonly { id: DiffView; title: string }[] = [
  { id: 'both', title: 'Side by side' },
  { id: 'prose', title: 'Rendered' },
  { id: 'source', title: 'Source' },
]

export interface ChangesTabProps {
  readonly job: AgentJob
  readonly changes: JobChanges
}

/** A job's changed files, with the changes marked by line or by word. */
export function ChangesTab({ job, changes }: ChangesTabProps) {
  const { files } = changes
  const { view, isWide, choose } = useDiffView()
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [current, setCurrent] = useState(0)
  const list = useRef<DiffListHandle>(null)
  const [readPatch] = useState(buildPatchReader)
  const isOpen = useCallback(
    (index: number) => {
      const file = files[index]
      return file !== undefined && (toggled.get(file.path) ?? isOpenAtFirst(file))
    },
    [files, toggled],
  )
  const rows = useMemo(() => buildRows(files, { view, isOpen, readPatch }), [files, view, isOpen, readPatch])
  const toggle = useCallback(
    (index: number) => {
      const path = files[index]?.path
      if (path !== undefined) setToggled((known) => new Map(known).set(path, !isOpen(index)))
    },
    [files, isOpen],
  )
  if (files.length === 0) return <NoChanges job={job} />
  const sum = (name: 'additions' | 'deletions') => files.reduce((total, file) => total + file[name], 0)
  return (
    <div className="changes" data-beside={(view === 'both' && files.some(({ path }) => isProse(path))) || undefined}>
      <div className="changes-bar">
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
          <Button variant="quiet" onClick={() => saveText(`${job.id}.patch`, changes.patch, 'text/x-diff')}>
            Download patch
          </Button>
        </div>
      </div>
      <EvidenceList job={job} />
      <div className="changes-body">
        {files.length > 1 ? (
          <FileTree
            files={files}
            current={current}
            onChoose={(index) =>
              list.current?.scrollToRow(rows.findIndex((row) => row.kind === 'file' && row.file === index))
            }
          />
        ) : null}
        <DiffList ref={list} rows={rows} onToggle={toggle} onFile={setCurrent} />
      </div>
    </div>
  )
}

function NoChanges({ job }: { job: AgentJob }) {
  if (job.status === 'active') {
    return (
      <EmptyState title="No changes yet">
        <p>Changes will appear here when the agent finishes editing.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No files changed">
      <p>{job.outcome === 'no_changes' ? 'The agent made no changes.' : 'The job ended without changes.'}</p>
    </EmptyState>
  )
}
