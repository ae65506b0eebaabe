import type { CheckResult } from '@corrigenda/contracts'
import type { Workspace, WorkspaceChange } from '@corrigenda/git/workspace'
import type { CheckRunner } from '../thread/task.ts'

export interface LintInput {
  readonly workspace: Workspace
  /** Changed pages that can be read. */
  readonly changes: readonly WorkspaceChange[]
  /** New path by old path. */
  readonly renames: ReadonlyMap<string, string>
  readonly runner: CheckRunner
}

/** The repository's own linters over the changed pages: one result for each that is configured, none when none is. */
export type LintDocs = (input: LintInput) => Promise<CheckResult[]>
