import type { CheckResult } from '@corrigenda/contracts'
import { detectFramework, type Framework, toDialect } from '../agent/detect-framework.ts'
import { decodeText } from '../agent/text-file.ts'
import type { Workspace, WorkspaceChange, WorkspaceEntry } from '../agent/workspace.ts'
import { findLostFrontmatter } from './find-lost-frontmatter.ts'
import { findNavigationProblems, isNavigationFile } from './find-navigation-problems.ts'
import { findPageProblems, MAX_PAGE_BYTES, type PageCache } from './find-page-problems.ts'
import { matchRenames } from './match-renames.ts'
import type { CheckName, Problem } from './problem.ts'
import { splitIntroduced } from './split-introduced.ts'

/** `changed` looks at what the change touches, `all` at every page of the repository. */
export type CheckScope = 'changed' | 'all'

export interface CheckDocsInput {
  readonly workspace: Workspace
  readonly scope: CheckScope
  /** Share one between calls, so that a page is parsed once. */
  readonly cache?: PageCache
}

export type CheckDocs = (input: Pick<CheckDocsInput, 'workspace' | 'scope'>) => Promise<CheckResult[]>

const CHECKS: readonly CheckName[] = ['syntax', 'frontmatter', 'navigation']
/** A whole repository is parsed up to this many pages; the rest is reported as not checked. */
const MAX_PAGES = 3_000
const MAX_FINDINGS = 500

/**
 * Check the documentation: one result per check. `introduced` counts the faults that the base commit does not have; a check fails only
 * by those. Findings list them first, then, for scope `all`, the ones that were there before. Yields to the event loop between files.
 */
export async function checkDocs(input: CheckDocsInput): Promise<CheckResult[]> {
  const { workspace, scope, cache = new Map() } = input
  const [changes, now, base] = await Promise.all([workspace.changes(), workspace.list(), workspace.listBase()])
  const framework = detectFramework(now)
  const before: Problem[] = []
  const after: Problem[] = []

  for (const change of changes) {
    if (change.before !== null) before.push(...findIn(change.path, change.before, framework, cache))
    if (change.after !== null) after.push(...findIn(change.path, change.after, framework, cache))
    after.push(...findLostFrontmatter(change, framework))
    await breathe()
  }
  const skipped = scope === 'all' ? await readUntouched(workspace, now, changes, framework, cache, [before, after]) : 0
  before.push(...(await findNavigation(base, changes, scope, (path) => workspace.readBase(path))))
  after.push(...(await findNavigation(now, changes, scope, (path) => workspace.read(path))))

  const { introduced, preexisting } = splitIntroduced(before, after, matchRenames(changes))
  const results = CHECKS.map((name) => toResult(name, introduced, preexisting, scope))
  return skipped === 0 ? results : [...results, toSkipped(skipped)]
}

function findIn(path: string, bytes: Uint8Array, framework: Framework, cache: PageCache): readonly Problem[] {
  const dialect = toDialect(path, framework)
  return dialect === null ? [] : findPageProblems(path, bytes, dialect, cache)
}

/** Faults of untouched pages are the same on both sides; returns how many pages were left out. */
async function readUntouched(
  workspace: Workspace,
  entries: readonly WorkspaceEntry[],
  changes: readonly WorkspaceChange[],
  framework: Framework,
  cache: PageCache,
  sides: readonly Problem[][],
): Promise<number> {
  const touched = new Set(changes.map((change) => change.path))
  const pages = entries.filter(
    (entry) => entry.kind === 'file' && !touched.has(entry.path) && toDialect(entry.path, framework) !== null,
  )
  for (const { path } of pages.slice(0, MAX_PAGES)) {
    const problems = findIn(path, await workspace.read(path), framework, cache)
    for (const side of sides) side.push(...problems)
    await breathe()
  }
  return Math.max(0, pages.length - MAX_PAGES)
}

/** Navigation files are read when the change could have broken them: itself, or by adding or taking away pages. */
async function findNavigation(
  entries: readonly WorkspaceEntry[],
  changes: readonly WorkspaceChange[],
  scope: CheckScope,
  read: (path: string) => Promise<Uint8Array | null>,
): Promise<Problem[]> {
  const moved = changes.some((change) => change.kind !== 'modified')
  const files = entries.filter(
    ({ kind, path }) =>
      kind === 'file' &&
      isNavigationFile(path) &&
      (scope === 'all' || moved || changes.some((change) => change.path === path)),
  )
  if (files.length === 0) return []
  const paths = new Set(entries.map((entry) => entry.path))
  const problems: Problem[] = []
  for (const { path } of files) {
    const bytes = await read(path)
    const file = bytes === null || bytes.length > MAX_PAGE_BYTES ? 'binary' : decodeText(bytes)
    if (typeof file !== 'string') problems.push(...findNavigationProblems(path, file.text, (page) => paths.has(page)))
  }
  return problems
}

function toResult(
  name: CheckName,
  introduced: readonly Problem[],
  preexisting: readonly Problem[],
  scope: CheckScope,
): CheckResult {
  const fresh = introduced.filter((problem) => problem.check === name)
  const old = preexisting.filter((problem) => problem.check === name)
  const listed = scope === 'all' ? [...fresh, ...old] : fresh
  return {
    name,
    status: fresh.length > 0 ? 'failed' : 'passed',
    introduced: fresh.length,
    preexisting: old.length,
    findings: listed.slice(0, MAX_FINDINGS).map(({ path, line, message }) => ({ file: path, line, message })),
  }
}

function toSkipped(pages: number): CheckResult {
  const message = `${pages} pages were not checked: a repository is read up to ${MAX_PAGES} pages at once.`
  const findings = [{ file: '', line: null, message }]
  return { name: 'unread', status: 'skipped', introduced: 0, preexisting: 0, findings }
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
