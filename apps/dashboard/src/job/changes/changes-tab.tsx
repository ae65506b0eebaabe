import type { AgentJob, JobChanges } from '@corrigenda/contracts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Disclosure } from '../../components/disclosure.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import type { JobMemoryHandle } from '../memory/use-job-memory.ts'
import type { JobPlace } from '../page/job-place.ts'
import { sortFiles } from '../patch/sort-files.ts'
import { isProse } from '../prose/build-prose.ts'
import { buildPatchReader, buildRows } from './build-rows.ts'
import { ChangesBar } from './changes-bar.tsx'
import { DiffList, type DiffListHandle } from './diff-list.tsx'
import { DiffRowView } from './diff-row-view.tsx'
import { EvidenceList } from './evidence-list.tsx'
import { FileTree } from './file-tree.tsx'
import { addComments } from './find-rows.ts'
import { readRange } from './line-range.ts'
import { useComments } from './use-comments.ts'
import type { ChosenView } from './use-diff-view.ts'
import { useDiffWalk } from './use-diff-walk.ts'
import { useOpenFiles } from './use-open-files.ts'
import { WalkBar } from './walk-bar.tsx'
import './changes.css'
import './prose.css'
import './diff.css'

interface ChangesTabProps {
  readonly job: AgentJob
  readonly changes: JobChanges
  readonly memory: JobMemoryHandle
  readonly diffView: ChosenView
  readonly place: JobPlace
  readonly setPlace: (place: JobPlace) => void
  /** The place to scroll to. A new object scrolls again. */
  readonly target: JobPlace
  /** The element that contains the file tree. Null: the tree is part of the tab, folded. */
  readonly treePlace: HTMLElement | null
  readonly mayComment: boolean
}

/** A job's changed files, with the changes marked by line or by word. */
export function ChangesTab(props: ChangesTabProps) {
  const { job, changes, memory, diffView, place, setPlace, target, treePlace, mayComment } = props
  const files = useMemo(() => sortFiles(changes.files), [changes.files])
  const { view } = diffView
  const [current, setCurrent] = useState(0)
  const list = useRef<DiffListHandle>(null)
  const [readPatch] = useState(buildPatchReader)
  const { isOpen, isViewed, viewedCount, toggle, toggleAll, open, setViewed } = useOpenFiles(files, memory)
  const content = useMemo(() => buildRows(files, { view, isOpen, readPatch }), [files, view, isOpen, readPatch])
  const rows = useMemo(() => addComments(content, files, memory.comments), [content, files, memory.comments])
  const picked = useMemo(() => {
    const range = place.file === undefined ? null : readRange(place.line ?? '')
    return range && place.file !== undefined ? { ...range, path: place.file } : null
  }, [place.file, place.line])
  const walk = useDiffWalk({ files, rows, list, current, target, open, setPlace })
  const { actions, startComment } = useComments({
    files,
    memory,
    readPatch,
    picked,
    setPlace,
    mayComment,
    walk,
    toggle: walk.keepHeader(toggle),
    setViewed: walk.keepHeader(setViewed),
  })
  const tree = useMemo(
    () => <FileTree files={files} current={current} isViewed={isViewed} onChoose={walk.goToFile} />,
    [files, current, isViewed, walk.goToFile],
  )
  const render = useCallback(
    (row: (typeof rows)[number]) => {
      const path = files[row.file]?.path ?? ''
      return (
        <DiffRowView
          row={row}
          path={path}
          picked={picked?.path === path ? picked : null}
          isViewed={isViewed(row.file)}
          actions={actions}
        />
      )
    },
    [files, picked, isViewed, actions],
  )
  if (files.length === 0) return <NoChanges job={job} />
  return (
    <div className="changes" data-beside={(view === 'both' && files.some(({ path }) => isProse(path))) || undefined}>
      <ChangesBar
        {...{ job, changes, files, diffView }}
        isAnyOpen={files.some((_, index) => isOpen(index))}
        onToggleAll={walk.keepHeader(toggleAll)}
      />
      <EvidenceList job={job} />
      {files.length > 1 && treePlace === null ? (
        <Disclosure title={`Files (${files.length})`} detail={files[current]?.path ?? ''}>
          {tree}
        </Disclosure>
      ) : null}
      {files.length > 1 && treePlace !== null ? createPortal(tree, treePlace) : null}
      <WalkBar
        {...{ files, current, viewedCount, walk }}
        onComment={mayComment ? startComment : null}
        isViewed={isViewed(current)}
        onViewed={(viewed) => actions.setViewed(current, viewed)}
        onToggle={() => actions.toggle(current)}
        onToggleAll={walk.keepHeader(toggleAll)}
      />
      <DiffList ref={list} rows={rows} render={render} onFile={setCurrent} />
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
