import { type AgentJob, type FileChange, type JobEvidence, toPermalink } from '@corrigenda/contracts'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useGitHosts } from '../../api/session.ts'
import { Button, ExternalLink } from '../../components/button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Icon } from '../../components/icon.tsx'
import type { ReviewedChanges } from '../api/job-queries.ts'
import type { JobMemoryHandle } from '../memory/use-job-memory.ts'
import type { JobPlace } from '../page/job-place.ts'
import { buildFileTree, sortFiles, type TreeNode } from '../patch/build-file-tree.ts'
import { isProse } from '../prose/build-prose.ts'
import { buildPatchReader, buildRows, type DiffView, type Lines } from './build-rows.ts'
import { DiffList, type DiffListHandle } from './diff-list.tsx'
import { DiffRowView } from './diff-row-view.tsx'
import { addComments } from './find-rows.ts'
import { type FileRange, readRange } from './line-range.ts'
import { saveText } from './save-text.ts'
import { useComments } from './use-comments.ts'
import type { ChosenView } from './use-diff-view.ts'
import { useDiffWalk } from './use-diff-walk.ts'
import { useOpenFiles } from './use-open-files.ts'
import { LineCounts, WalkBar } from './walk-bar.tsx'
import './changes.css'
import './prose.css'
import './diff.css'

const VIEWS: readonly { id: DiffView; title: string }[] = [
  { id: 'prose', title: 'Rendered' },
  { id: 'source', title: 'Source' },
  { id: 'split', title: 'Split' },
]

interface ChangesTabProps {
  readonly job: AgentJob
  readonly changes: ReviewedChanges
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
  const readPatch = useMemo(() => buildPatchReader(changes.texts), [changes.texts])
  const { findShown, show } = useShownLines({ target, comments: memory.comments })
  const { isOpen, isViewed, viewedCount, toggle, toggleAll, open, setViewed } = useOpenFiles(files, memory)
  const content = useMemo(
    () => buildRows(files, { view, isOpen, readPatch, findShown }),
    [files, view, isOpen, readPatch, findShown],
  )
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
    show,
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
    <div className="changes" data-split={view === 'split' || undefined}>
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

const WHOLE = { from: 1, to: Number.POSITIVE_INFINITY }

/** Lines around a linked or commented line that are also shown. */
const AROUND = 3

/** Returns which lines of the new files are shown in addition to the changes: those that the user asked for, and linked and commented ones. */
function useShownLines({ target, comments }: { target: JobPlace; comments: JobMemoryHandle['comments'] }) {
  const [asked, setAsked] = useState<ReadonlyMap<string, readonly Lines[]>>(new Map())
  const show = useCallback((path: string, lines: Lines | 'whole') => {
    setAsked((known) => {
      const before = known.get(path) ?? []
      const next = lines !== 'whole' ? [...before, lines] : before.includes(WHOLE) ? [] : [WHOLE]
      return new Map(known).set(path, next)
    })
  }, [])
  // The text of a comment changes with each key, its place does not.
  const commented = JSON.stringify(comments.map(({ path, side, from, to }) => ({ path, side, from, to })))
  const findShown = useMemo(() => {
    const ranges = JSON.parse(commented) as FileRange[]
    const linked = readRange(target.line ?? '')
    if (linked && target.file !== undefined) ranges.push({ ...linked, path: target.file })
    return (path: string): Lines[] => [
      ...(asked.get(path) ?? []),
      ...ranges
        .filter((range) => range.path === path && range.side === 'new')
        .map(({ from, to }) => ({ from: from - AROUND, to: to + AROUND })),
    ]
  }, [asked, commented, target])
  return { findShown, show }
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

interface ChangesBarProps {
  readonly job: AgentJob
  readonly changes: ReviewedChanges
  readonly files: readonly FileChange[]
  readonly diffView: ChosenView
  readonly isAnyOpen: boolean
  readonly onToggleAll: () => void
}

/** The totals of a change, and the options of its view. */
function ChangesBar({ job, changes, files, diffView, isAnyOpen, onToggleAll }: ChangesBarProps) {
  const { view, isWide, choose } = diffView
  const hasProse = files.some(({ path }) => isProse(path))
  const shown = view === 'prose' && !hasProse ? 'source' : view
  const sum = (name: 'additions' | 'deletions') => files.reduce((total, file) => total + file[name], 0)
  return (
    <div className="changes-bar cluster">
      <p>
        {files.length === 1 ? '1 file' : `${files.length} files`}{' '}
        <LineCounts additions={sum('additions')} deletions={sum('deletions')} />
      </p>
      {changes.truncated ? <p className="muted">Some patches are too large to show.</p> : null}
      <div className="cluster changes-tools">
        <fieldset className="changes-views">
          <legend className="sr-only">View</legend>
          {VIEWS.filter(({ id }) => (id === 'split' ? isWide : id === 'source' || hasProse)).map(({ id, title }) => (
            <label key={id} className="changes-view">
              <input type="radio" name="diff-view" checked={shown === id} onChange={() => choose(id)} />
              {title}
            </label>
          ))}
        </fieldset>
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

/** The lines of sources that support the change, by page. */
function EvidenceList({ job }: { job: AgentJob }) {
  const { evidence } = job
  if (evidence.length === 0) return null
  const pages = [...new Set(evidence.map(({ page }) => page))]
  return (
    <div className="evidence" data-testid="evidence">
      <Disclosure title={`Evidence (${evidence.length})`} detail="Lines of sources that support the change" isOpen>
        {pages.map((page) => (
          <section key={page} aria-label={page}>
            <h3 className="mono">{page}</h3>
            <ul className="findings">
              {evidence
                .filter((item) => item.page === page)
                .map((item) => (
                  <li key={`${item.source} ${item.path} ${item.fromLine} ${item.toLine} ${item.note}`}>
                    <Place job={job} item={item} />
                    {item.note === '' ? null : <span dir="auto">{item.note}</span>}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </Disclosure>
    </div>
  )
}

function Place({ job, item }: { job: AgentJob; item: JobEvidence }) {
  const { source, path, fromLine, toLine, commit } = item
  const gitHosts = useGitHosts()
  const repository = job.sources.find((one) => one.name === source)?.repository
  const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`
  const text = (
    <code>
      {source} {path}:{lines}
    </code>
  )
  if (repository === undefined) return text
  return (
    <ExternalLink href={toPermalink({ repository, commit, path, fromLine, toLine }, gitHosts)}>{text}</ExternalLink>
  )
}

interface FileTreeProps {
  readonly files: readonly FileChange[]
  /** Index of the visible file. */
  readonly current: number | null
  readonly isViewed: (index: number) => boolean
  readonly onChoose: (index: number) => void
}

/** The changed files, grouped by folder. Clicking a name scrolls to the file. */
function FileTree({ files, ...rest }: FileTreeProps) {
  const nodes = useMemo(() => buildFileTree(files), [files])
  const tree = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (tree.current && rest.current !== null) keepInView(tree.current, tree.current.querySelector('[aria-current]'))
  }, [rest.current])
  return (
    <nav ref={tree} className="file-tree" aria-label="Changed files">
      <TreeLevel nodes={nodes} {...rest} />
    </nav>
  )
}

/** Scrolls only the tree. `scrollIntoView` would also scroll the page. */
function keepInView(tree: HTMLElement, entry: Element | null): void {
  if (!entry) return
  const [outer, inner] = [tree.getBoundingClientRect(), entry.getBoundingClientRect()]
  if (inner.top < outer.top) tree.scrollTop += inner.top - outer.top - outer.height / 3
  else if (inner.bottom > outer.bottom) tree.scrollTop += inner.bottom - outer.bottom + outer.height / 3
}

function TreeLevel({ nodes, ...rest }: { nodes: readonly TreeNode[] } & Omit<FileTreeProps, 'files'>) {
  return (
    <ul className="file-tree-level">
      {nodes.map((node) =>
        node.kind === 'folder' ? (
          <li key={node.path}>
            <p className="file-tree-folder">{node.name}/</p>
            <TreeLevel nodes={node.children} {...rest} />
          </li>
        ) : (
          <li key={node.index}>
            <button
              type="button"
              className="file-tree-file"
              aria-current={rest.current === node.index ? 'true' : undefined}
              onClick={() => rest.onChoose(node.index)}
            >
              <span className="file-tree-name breakable" data-status={node.file.status} title={node.file.path}>
                {node.name}
              </span>
              {rest.isViewed(node.index) ? (
                <>
                  <Icon name="check" />
                  <span className="sr-only">viewed,</span>
                </>
              ) : null}
              <LineCounts {...node.file} />
            </button>
          </li>
        ),
      )}
    </ul>
  )
}
