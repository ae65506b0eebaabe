import type { CiteMode, SourceVisibility } from '@corrigenda/contracts'
import { type Workspace, WorkspaceError } from '@corrigenda/git/workspace'

/** The files of a source at one commit, read-only. */
export type SourceReader = Pick<Workspace, 'find' | 'list' | 'read'>

/** A repository that the agent may read, at the commit that the run has pinned. */
export interface AgentSource {
  readonly name: string
  /** URL of the repository. */
  readonly repository: string
  readonly commit: string
  /** What the source is, in one line, such as `acme/api, branch main`. */
  readonly description: string
  readonly visibility: SourceVisibility
  readonly cite: CiteMode
  /** Paths of a private source whose text may be published. */
  readonly quotable: readonly string[]
  /** Whether the first message lists the recent changes. */
  readonly listsChanges: boolean
  readonly workspace: SourceReader
  /**
   * Returns the changes up to `commit`; null if their start is not known. May be called often.
   * @throws errors from the Git host
   */
  recentChanges(): Promise<SourceRange | null>
}

/** The commits between two commits of a source, and the files that differ. */
export interface SourceRange {
  readonly baseCommit: string
  /** Newest first. May be fewer than `totalCommits`. */
  readonly commits: readonly SourceCommit[]
  readonly totalCommits: number
  readonly files: readonly SourceFile[]
  /** True if the Git host did not list all files. */
  readonly hasMoreFiles: boolean
  /**
   * Opens the files at `baseCommit`. Later calls return the same reader.
   * @throws errors from the Git host
   */
  openBase(): Promise<SourceReader>
}

export interface SourceCommit {
  readonly id: string
  /** First line of the message. */
  readonly subject: string
  /** The merged pull request, if the message contains it. The title is null for a squash merge. */
  readonly pullRequest: { readonly number: number; readonly title: string | null } | null
}

export interface SourceFile {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'removed'
}

/** Returns a source without the files that the agent may not read. */
export function restrictSource(source: AgentSource, isReadable: (path: string) => boolean): AgentSource {
  return {
    ...source,
    workspace: restrictReader(source.workspace, isReadable),
    recentChanges: async () => {
      const range = await source.recentChanges()
      return range && restrictRange(range, isReadable)
    },
  }
}

function restrictRange(range: SourceRange, isReadable: (path: string) => boolean): SourceRange {
  return {
    ...range,
    files: range.files.filter(({ path }) => isReadable(path)),
    openBase: async () => restrictReader(await range.openBase(), isReadable),
  }
}

function restrictReader(reader: SourceReader, isReadable: (path: string) => boolean): SourceReader {
  return {
    list: async () => (await reader.list()).filter(({ path }) => isReadable(path)),
    find: async (path) => (isReadable(path) ? await reader.find(path) : null),
    async read(path) {
      if (!isReadable(path)) throw new WorkspaceError('not_found', `${JSON.stringify(path)} does not exist.`)
      return await reader.read(path)
    },
  }
}
