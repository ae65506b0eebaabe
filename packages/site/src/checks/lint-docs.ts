import type { CheckResult } from '../reading/result.ts'
import type { CheckRunner } from '../thread/task.ts'
import type { Workspace, WorkspaceChange } from '../workspace/workspace.ts'

export interface LintInput {
  readonly workspace: Workspace
  /** Changed pages that are readable. */
  readonly changes: readonly WorkspaceChange[]
  /** New paths keyed by old path. */
  readonly renames: ReadonlyMap<string, string>
  readonly runner: CheckRunner
}

/**
 * Runs the repository's own linters on the changed pages. Returns one result per configured linter.
 */
export type LintDocs = (input: LintInput) => Promise<CheckResult[]>
