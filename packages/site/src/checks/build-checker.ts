import { buildBoundedCache } from '@corrigenda/git/objects'
import type { Workspace } from '@corrigenda/git/workspace'
import type { PageContent } from '../pages/page-content.ts'
import type { PageScan } from '../pages/scan-page.ts'
import { buildInlineRunner } from '../thread/build-inline-runner.ts'
import type { CheckRunner } from '../thread/task.ts'
import { type CheckDocs, checkDocs } from './check-docs.ts'
import { type CheckerLimits, DEFAULT_CHECKER_LIMITS } from './checker-limits.ts'
import type { LintDocs } from './lint-docs.ts'
import { type Base, readBase } from './read-base.ts'
import { weighContent } from './read-contents.ts'
import { weighScan } from './read-scans.ts'

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
  /**
   * Starts reading the base commit, so that the first check does not have to. The next check that
   * needs the base reports any error.
   * @returns a function that stops reading; call it before closing the workspace
   */
  prepare(workspace: Workspace): () => void
}

/** Size limits of the caches in bytes, each enough for about 10,000 pages. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024
const MAX_SCAN_BYTES = 16 * 1024 * 1024

export function buildChecker(deps: CheckerDeps = {}): Checker {
  const limits = { ...DEFAULT_CHECKER_LIMITS, ...deps.limits }
  const content = {
    runner: deps.runner ?? buildInlineRunner(),
    cache: buildBoundedCache<PageContent>(MAX_CACHE_BYTES, weighContent),
    scans: buildBoundedCache<PageScan>(MAX_SCAN_BYTES, weighScan),
  }
  const bases = new WeakMap<Workspace, { readonly base: Promise<Base>; readonly stop: () => void }>()
  const openBase = (workspace: Workspace) => {
    const known = bases.get(workspace)
    if (known !== undefined) return known
    const control = new AbortController()
    const base = readBase(content, workspace, limits, control.signal)
    const opened = { base, stop: () => control.abort() }
    bases.set(workspace, opened)
    base.catch(() => bases.delete(workspace))
    return opened
  }
  const check: CheckDocs = async ({ workspace, scope }) =>
    await checkDocs(
      { ...content, limits, lint: deps.lint ?? null },
      { workspace, scope, base: await openBase(workspace).base },
    )
  return {
    checkDocs: check,
    prepare: (workspace) => openBase(workspace).stop,
  }
}
