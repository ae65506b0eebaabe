import { type CheckerLimits, DEFAULT_CHECKER_LIMITS } from '../reading/checker-limits.ts'
import { type Base, readBase } from '../reading/read-base.ts'
import { buildPageReader, type PageReader } from '../thread/page-reader.ts'
import type { CheckRunner } from '../thread/task.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type CheckDocs, checkDocs } from './check-docs.ts'
import type { LintDocs } from './lint-docs.ts'

export interface CheckerDeps {
  /** Parses pages. Default: a runner in this thread. */
  readonly runner?: CheckRunner
  /** Runs the repository's own linters. Default: no linters. */
  readonly lint?: LintDocs
  readonly limits?: Partial<CheckerLimits>
}

/**
 * Checks the documentation of any number of repositories. All of them share a bounded cache of
 * parsed pages.
 */
export interface Checker {
  readonly checkDocs: CheckDocs
  /** Reads pages for tools that change the documentation. */
  readonly pages: PageReader
  /**
   * Starts reading the base commit, so that the first check does not have to. The next check that
   * needs the base reports any error.
   * @returns a function that stops reading; call it before closing the workspace
   */
  prepare(workspace: Workspace): () => void
}

export function buildChecker(deps: CheckerDeps = {}): Checker {
  const limits = { ...DEFAULT_CHECKER_LIMITS, ...deps.limits }
  const pages = buildPageReader(deps.runner)
  const bases = new WeakMap<Workspace, { readonly base: Promise<Base>; readonly stop: () => void }>()
  const openBase = (workspace: Workspace) => {
    const known = bases.get(workspace)
    if (known !== undefined) return known
    const control = new AbortController()
    const base = readBase(pages, workspace, limits, control.signal)
    const opened = { base, stop: () => control.abort() }
    bases.set(workspace, opened)
    base.catch(() => bases.delete(workspace))
    return opened
  }
  const check: CheckDocs = async ({ workspace, scope }) =>
    await checkDocs(
      { ...pages, limits, lint: deps.lint ?? null },
      { workspace, scope, base: await openBase(workspace).base },
    )
  return {
    checkDocs: check,
    pages,
    prepare: (workspace) => openBase(workspace).stop,
  }
}
