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

/** A file for a program: repository-relative path and content. */
export interface ProgramFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export type ProgramAnswer =
  | { readonly kind: 'done'; readonly stdout: string; readonly code: number }
  /** Not found on this machine. */
  | { readonly kind: 'absent' }
  /** Given up; `reason` is part of a sentence. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Runs a linter that is installed on this machine, in a folder with these files and nothing else. */
export type RunProgram = (input: {
  readonly program: 'cspell' | 'vale'
  readonly args: readonly string[]
  readonly files: readonly ProgramFile[]
}) => Promise<ProgramAnswer>
