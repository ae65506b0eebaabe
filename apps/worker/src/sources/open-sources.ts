import type { AgentSource, SourceRange, SourceReader } from '@corrigenda/agent/sources'
import { restrictSource } from '@corrigenda/agent/sources'
import { DOCS_SOURCE, type RunSource } from '@corrigenda/contracts'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { WorkspaceError } from '@corrigenda/git/workspace'
import { buildPathFilter } from './build-path-filter.ts'
import { findBaseCommit } from './find-base-commit.ts'
import { readRange } from './read-range.ts'
import { openSourceSnapshot, type SourceAccess, type SourceDeps, withGitHost } from './source-deps.ts'

/** Sources that a run has opened. */
export interface OpenedSources extends AsyncDisposable {
  readonly sources: readonly AgentSource[]
}

export interface OpenSourceInput {
  readonly projectId: string
  readonly pinned: RunSource
  readonly access: SourceAccess
  readonly listsChanges: boolean
  /** The work tree, whose base commit is read as `docs`. */
  readonly workTree: WorkTree
  readonly workTreeCommit: string
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
  const isBase = name === DOCS_SOURCE && commit === input.workTreeCommit
  const workspace = isBase ? toBaseReader(input.workTree) : await openAt(commit)
  const openBase = once((base: string) => openAt(base))
  const source: AgentSource = {
    ...{ name, repository, commit, visibility, cite, quotable, workspace },
    description: `${access.address.path}, ${ref ?? 'commit'} at ${commit.slice(0, 12)}${name === DOCS_SOURCE ? ', the repository that you edit, before your edits' : ''}${note === undefined ? '' : `. ${note}`}`,
    listsChanges: input.listsChanges,
    recentChanges: once(() => findChanges(deps, input, openBase)),
  }
  return pinned.paths.length === 0 ? source : restrictSource(source, buildPathFilter(pinned.paths))
}

/** Returns the recent changes; null if their start is not known or the host refuses to list them. */
async function findChanges(
  deps: SourceDeps,
  { pinned, access, now, signal }: OpenSourceInput,
  openBase: (base: string) => Promise<SourceReader>,
): Promise<SourceRange | null> {
  const { name, commit } = pinned
  return await withGitHost(deps, access, { signal }, async (gitHost) => {
    // Looked up only here if the job did not seem to need it.
    const start = async () =>
      name === DOCS_SOURCE
        ? await findBaseCommit(gitHost, { commit, since: undefined, findLastRead: async () => undefined, now })
        : null
    const base = pinned.baseCommit ?? (await start())
    return base === null ? null : await readRange(gitHost, { base, commit, openBase: () => openBase(base) })
  })
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

/** Calls a function once, and again only after it has failed. */
function once<Args extends unknown[], T>(run: (...args: Args) => Promise<T>): (...args: Args) => Promise<T> {
  let result: Promise<T> | null = null
  return (...args) => {
    result ??= run(...args).catch((error: unknown) => {
      result = null
      throw error
    })
    return result
  }
}
