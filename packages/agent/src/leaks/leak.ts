import type { CiteMode, SourceVisibility } from '@corrigenda/contracts'
import type { Workspace, WorkspaceChange } from '@corrigenda/git/workspace'
import type { SourceFile } from './stream-files.ts'

/** A repository that the agent can read, with the rules for publishing its text. */
export interface LeakSource {
  readonly name: string
  readonly visibility: SourceVisibility
  readonly cite: CiteMode
  /** Globs of files whose text may be published. */
  readonly quotable: readonly string[]
  readonly repository: string
  readonly reader: Pick<Workspace, 'list' | 'read'>
  /** Returns false for a file whose text need not be compared. Default: all files are compared. */
  mayRepeat?(path: string): boolean
  /** Reads texts of the source that its files no longer have, such as removed lines that a diff showed. */
  readEarlier?(): Promise<readonly SourceFile[]>
}

export interface FindLeaksInput {
  readonly changes: readonly WorkspaceChange[]
  readonly title: string | null
  readonly body: string
  /** Notes of the evidence. */
  readonly notes?: readonly string[]
  /** The documentation repository. Its text at the base commit may be published. */
  readonly base: Pick<Workspace, 'listBase' | 'readBase'>
  readonly sources: readonly LeakSource[]
}

/**
 * - `passage`: text of a private source
 * - `host`: a host name of its internal network
 * - `package`: a package that is not published
 * - `path`: a file or a link that its `cite` mode excludes
 * - `credential`: text that looks like a credential
 */
export type LeakKind = 'passage' | 'host' | 'package' | 'path' | 'credential'

export interface Leak {
  /** Where the text is, such as `Lines 3 to 9 of "docs/a.md"` or `The title`. */
  readonly where: string
  /** Path of the changed file, or null if the text is not in a file. */
  readonly path: string | null
  /** Name of the source. Null for a credential that no source contains. */
  readonly source: string | null
  readonly kind: LeakKind
  /** Names the problem and the remedy. Does not contain the text. */
  readonly message: string
}
