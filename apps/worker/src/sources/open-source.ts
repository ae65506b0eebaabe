import {
  type AgentSource,
  restrictSource,
  type SourceCommit,
  type SourceRange,
  type SourceReader,
} from '@corrigenda/agent/sources'
import { DOCS_SOURCE, type RunSource } from '@corrigenda/contracts'
import { once } from '@corrigenda/core/base'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { WorkspaceError } from '@corrigenda/git/workspace'
import type { Commit, GitHost } from '../git-host/git-host.ts'
import { findBaseCommit } from './find-base-commit.ts'
import {
  buildPathFilter,
  openSourceHost,
  openSourceSnapshot,
  type SourceAccess,
  type SourceDeps,
} from './source-deps.ts'

interface OpenSourceInput {
  readonly projectId: string
  readonly pinned: RunSource
  readonly access: SourceAccess
  readonly listsChanges: boolean
  /** The work tree, whose base commit is read as `docs`. */
  readonly workTree: WorkTree
  readonly now: Date
  readonly signal: AbortSignal
}

/**
 * Opens a source at its pinned commit. The start of its recent changes is opened on first use.
 * @param onOpen receives everything that must be disposed after the run
 * @throws errors from the Git host and the mirrors
 */
export async function openSource(
  deps: SourceDeps,
  input: OpenSourceInput,
  onOpen: (opened: AsyncDisposable) => void,
): Promise<AgentSource> {
  const { projectId, pinned, access, signal } = input
  const { name, repository, ref, commit, note, visibility, cite, quotable } = pinned
  const openAt = async (at: string): Promise<SourceReader> => {
    const snapshot = await openSourceSnapshot(deps, access, { projectId, branch: ref, commit: at, signal })
    onOpen(snapshot)
    return await openWorkTree({ snapshot, overlay: [] })
  }
  const isBase = name === DOCS_SOURCE && commit === input.workTree.snapshot.commit
  const workspace = isBase ? toBaseReader(input.workTree) : await openAt(commit)
  const source: AgentSource = {
    name,
    repository,
    commit,
    visibility,
    cite,
    quotable,
    workspace,
    description: `${access.address.path}, ${ref ?? 'commit'} at ${commit.slice(0, 12)}${name === DOCS_SOURCE ? ', the repository that you edit, before your edits' : ''}${note === undefined ? '' : `. ${note}`}`,
    listsChanges: input.listsChanges,
    recentChanges: once(() => findChanges(deps, input, openAt)),
  }
  return pinned.paths.length === 0 ? source : restrictSource(source, buildPathFilter(pinned.paths))
}

/** Returns the recent changes; null if their start is not known or the host refuses to list them. */
async function findChanges(
  deps: SourceDeps,
  { pinned, access, now, signal }: OpenSourceInput,
  openAt: (commit: string) => Promise<SourceReader>,
): Promise<SourceRange | null> {
  const { name, commit } = pinned
  using gitHost = await openSourceHost(deps, access, { signal })
  let base = pinned.baseCommit
  if (base === null && name === DOCS_SOURCE) {
    // Looked up only here if the job did not seem to need it.
    base = await findBaseCommit(gitHost, { commit, since: undefined, findLastRead: async () => undefined, now })
  }
  return base === null ? null : await readRange(gitHost, { base, commit, openBase: once(() => openAt(base)) })
}

/** Returns the files of a work tree at its base commit. */
function toBaseReader(workTree: WorkTree): SourceReader {
  return {
    list: () => workTree.listBase(),
    find: async (path) => (await workTree.listBase()).find((entry) => entry.path === path) ?? null,
    read: async (path) => {
      const bytes = await workTree.readBase(path)
      if (bytes === null) throw new WorkspaceError('not_found', `${JSON.stringify(path)} does not exist.`)
      return bytes
    },
  }
}

const MAX_COMMITS = 100
/** A work tree does not list these names, which could imitate other rows of the list. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * Reads the commits and files of a range from the Git host.
 * @throws GitHostError
 */
export async function readRange(
  gitHost: GitHost,
  { base, commit, openBase }: { base: string; commit: string; openBase: SourceRange['openBase'] },
): Promise<SourceRange> {
  if (base === commit) {
    return { baseCommit: base, commits: [], totalCommits: 0, files: [], hasMoreFiles: false, openBase }
  }
  const { commits, totalCommits, added, modified, removed, hasMoreFiles } = await gitHost.compareCommits({
    base,
    head: commit,
  })
  // Of a long range, the host lists the oldest commits.
  const newest =
    totalCommits > commits.length
      ? await gitHost.listCommits({ ref: commit, limit: MAX_COMMITS })
      : commits.toReversed()
  const toFiles = (paths: readonly string[], kind: 'added' | 'modified' | 'removed') =>
    paths.map((path) => ({ path, kind }))
  const files = [...toFiles(added, 'added'), ...toFiles(modified, 'modified'), ...toFiles(removed, 'removed')]
  const listed = files.filter(({ path }) => !HIDDEN.test(path))
  return {
    baseCommit: base,
    totalCommits,
    openBase,
    hasMoreFiles: hasMoreFiles || listed.length < files.length,
    commits: newest.map(toSourceCommit),
    files: listed.sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Reads the pull request from the message of a merge commit or a squashed commit. */
function toSourceCommit({ id, message }: Commit): SourceCommit {
  const [subject = '', ...rest] = message.split(/\r?\n/)
  const merged = /^Merge pull request #(\d{1,9}) from /.exec(subject)
  const number = merged?.[1] ?? /\(#(\d{1,9})\)\s*$/.exec(subject)?.[1]
  const title = merged === null ? null : (rest.find((line) => line.trim() !== '')?.trim() ?? null)
  return { id, subject, pullRequest: number === undefined ? null : { number: Number(number), title } }
}
