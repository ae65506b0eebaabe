import type { CheckResult } from '@corrigenda/contracts'
import { decodeText, type Workspace, type WorkspaceChange } from '@corrigenda/git/workspace'
import { findContent, findSite } from '../frameworks/find-site.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { toInner, toName } from '../pages/paths.ts'
import type { CheckScope, Problem } from '../pages/problem.ts'
import { splitFrontmatter } from '../pages/split-frontmatter.ts'
import type { ContentDeps } from '../thread/read-contents.ts'
import { breaksBuild } from './breaks-build.ts'
import { buildCollectionTest } from './build-collection-test.ts'
import { buildInclusionTest } from './build-inclusion-test.ts'
import { buildLinkPast } from './build-link-past.ts'
import type { CheckerLimits } from './checker-limits.ts'
import { findBlockFaults } from './find-block-faults.ts'
import { findExportProblems } from './find-export-problems.ts'
import { findLostAddresses } from './find-lost-addresses.ts'
import { findLostStrings } from './find-lost-strings.ts'
import { findNavigationProblems, findOrphans } from './find-navigation-problems.ts'
import { findPageProblems } from './find-page-problems.ts'
import { findRedirectProblems } from './find-redirect-problems.ts'
import { buildOpenLabelTest, findUndefinedReferences } from './find-undefined-references.ts'
import { findUnjudged } from './find-unjudged.ts'
import { judgeLinks } from './judge-links.ts'
import type { LintDocs } from './lint-docs.ts'
import { matchRenames } from './match-renames.ts'
import { type Base, readOrNull, type Side } from './read-base.ts'
import { type Now, readNow } from './read-now.ts'
import { splitIntroduced } from './split-introduced.ts'
import type { Unreliable } from './summarize-sites.ts'
import { toResults } from './to-results.ts'

interface CheckDocsInput {
  readonly workspace: Workspace
  readonly scope: CheckScope
}

export type CheckDocs = (input: CheckDocsInput) => Promise<CheckResult[]>

interface CheckDocsDeps extends ContentDeps {
  readonly limits: CheckerLimits
  readonly lint: LintDocs | null
}

/**
 * Checks the documentation and returns one result per check. `introduced` counts the problems that
 * the base commit does not have. Only these make a check fail. Findings list them first, followed
 * by the existing ones for scope `all`. Without changes, no check runs for scope `changed`. Parsing happens in the runner. All other work yields to the
 * event loop.
 */
export async function checkDocs(
  deps: CheckDocsDeps,
  input: CheckDocsInput & { readonly base: Base },
): Promise<CheckResult[]> {
  const { workspace, scope, base } = input
  const changes = await workspace.changes()
  // A check that has nothing to look at must not pass.
  if (scope === 'changed' && changes.length === 0) return []
  const now = await readNow(deps, workspace, base, changes)
  const renames = matchRenames(changes)
  const everything = scope === 'all'
  const past = await base.pages.read(() => buildLinkPast({ base, sites: now.sites, changed: now.changed, renames }))
  const links = await judgeLinks(base, now, changes, past, everything)
  const pages = everything ? null : changes.map((change) => change.path)
  const lost = await findLostAddresses(base, now, renames)
  const exports = await findChangedExports(workspace, base, now)
  lost.push(...(await findLostStrings(workspace, base, now)))
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]))
  const toOldPath = (path: string) => oldPaths.get(path) ?? path
  const isIncluded = buildInclusionTest(base, now)
  const isCollection = buildCollectionTest(base.index)
  const isUnlisted = (page: string) => isIncluded(page) || isCollection(page)
  const split = await base.pages.read(() => {
    const before = [
      ...findOwn(base, base, pages),
      ...links.before,
      ...exports.before,
      ...findSiteProblems(base, base, now, pages, isUnlisted),
    ]
    const after = [
      ...findOwn(now, base, pages === null ? null : [...now.changed.keys()], toOldPath),
      ...changes.flatMap((change) => (now.isPage(change.path) ? findLostFrontmatter(change) : [])),
      ...links.after,
      ...findSiteProblems(now, base, now, pages, isUnlisted),
      ...findComponentProblems(base, now),
      ...exports.after,
      ...lost,
    ]
    return splitIntroduced(before, after, renames)
  })
  const unreliable = new Map<Problem, Unreliable>()
  for (const problem of everything ? [...split.introduced, ...split.preexisting] : split.introduced) {
    const found = await base.summary.findUnreliable(problem)
    if (found !== null) unreliable.set(problem, found)
  }
  const results = toResults({
    split,
    scope,
    breaksBuild: (problem) => breaksBuild(now.sites, problem),
    unreliable,
    unjudged: findUnjudged(now, links.readings, pages),
    unread: await base.pages.read(() => findUnread(base, now, everything)),
    leftOut: everything ? base.leftOut : 0,
  })
  if (deps.lint === null) return results
  return [
    ...results,
    ...(await deps.lint({ workspace, changes: toLintable(now, changes), renames, runner: deps.runner })),
  ]
}

/** Returns the names that changed pages import from files that do not export them. */
async function findChangedExports(workspace: Workspace, base: Base, now: Now) {
  const after = await findExportProblems({
    side: now,
    pages: now.changed,
    read: (path) => readOrNull(() => workspace.read(path)),
  })
  if (after.length === 0) return { before: [], after }
  const pages = await base.pages.read(() =>
    [...now.changed.keys()].map((path) => [path, base.contentOf(path)] as const),
  )
  const before = await findExportProblems({
    side: base,
    pages,
    read: (path) => readOrNull(() => workspace.readBase(path)),
  })
  return { before, after }
}

/**
 * Returns the syntax and front matter problems in the given pages, or in all if `pages` is null.
 * @param toOldPath returns the path of a page in the base commit
 */
function findOwn(
  side: Side,
  base: Base,
  pages: readonly string[] | null,
  toOldPath = (path: string) => path,
): Problem[] {
  const isOpen = buildOpenLabelTest(base)
  return (pages ?? side.paths).flatMap((path): Problem[] => {
    const content = side.contentOf(path)
    if (content === undefined) return []
    return [
      ...content.problems.map((problem) => ({ ...problem, path })),
      ...findBlockFaults(side.sites, path, content, base.pairs),
      ...findUndefinedReferences(side.sites, path, content, base.contentOf(toOldPath(path)), isOpen),
    ]
  })
}

/**
 * Returns the navigation and redirect problems of one side. Checks all pages for orphans if `pages`
 * is null or another page may be listed. If not, checks only the given pages that exist on one
 * side.
 * @param isUnlisted returns true for a page that needs no entry
 */
function findSiteProblems(
  side: Side,
  base: Base,
  now: Now,
  pages: readonly string[] | null,
  isUnlisted: (page: string) => boolean,
): Problem[] {
  const everyPage = pages === null || now.relisted
  const candidates = everyPage ? side.paths : pages
  const isResolved = (entry: NavigationEntry) => {
    const site = base.sites.find(({ navigation }) => navigation.files.includes(entry.file))
    const known = site?.navigation.entries.find(({ file, page }) => file === entry.file && page === entry.page)
    return site !== undefined && known !== undefined && findEntryPages(base.index, site, known).verdict === 'yes'
  }
  return [
    ...side.sites.flatMap((site) => [
      ...findNavigationProblems(side.index, site, side === now ? isResolved : undefined).problems,
      ...findRedirectProblems(side.index, site),
    ]),
    ...findPageProblems(side.index, pages ?? side.paths),
    ...findOrphans(
      side.index,
      candidates.filter((path) => side.isPage(path) && (everyPage || !isOnBoth(base, now, path))),
      isUnlisted,
    ),
  ]
}

function isOnBoth(base: Base, now: Now, path: string): boolean {
  return base.isPage(path) && now.isPage(path)
}

/**
 * Returns the reasons why pages were not read, keyed by page. Excludes invalid pages, which the
 * syntax and front matter checks report.
 */
function findUnread(base: Base, now: Now, everything: boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const paths = everything ? new Set([...base.scanned.keys(), ...now.changed.keys()]) : now.changed.keys()
  for (const path of paths) {
    const content = now.contentOf(path)
    if (content !== undefined && content.unread !== null && content.problems.length === 0)
      found.set(path, content.unread)
  }
  return found
}

function toLintable(now: Now, changes: readonly WorkspaceChange[]): WorkspaceChange[] {
  return changes.filter((change) => now.changed.get(change.path)?.unread === null)
}

/**
 * Returns the components in changed pages that no import, export or site provides. A name that
 * another page of the site uses without an import at the base commit is provided, whatever the
 * configuration contains.
 */
function findComponentProblems(base: Base, now: Now): Problem[] {
  return [...now.changed].flatMap(([path, content]) => {
    const site = findSite(now.sites, path)
    const folder = findContent(site, path)
    const { components } = site
    if (content === null || components === null || folder?.kind !== 'docs') return []
    // Other pages may pass components to a page that they include.
    if (toName(path).startsWith('_') || site.framework.partials?.test(toInner(path, folder.folder))) return []
    return content.components.flatMap(({ name, line }): Problem[] => {
      if (components.includes(name) || isUsed(base, site.config, name)) return []
      const message = `The component <${name}> is not imported, and ${site.framework.title} does not provide it. Import it, or correct its name.`
      return [{ check: 'syntax', code: 'component_unknown', path, line, subject: name, message }]
    })
  })
}

function isUsed(base: Base, config: string | null, name: string): boolean {
  for (const [page, scan] of base.pages.scans)
    if (scan.components.includes(name) && findSite(base.sites, page).config === config) return true
  return false
}

/**
 * Detects a page that lost its front matter because a line was inserted before it or its opening
 * fence was deleted. The site then displays the keys as text.
 */
function findLostFrontmatter(change: WorkspaceChange): Problem[] {
  const before = split(change.before)
  const after = split(change.after)
  if (before?.yaml == null || before.yaml.trim() === '' || after === null) return []
  if (after.yaml !== null || after.unclosed) return []
  // If the front matter was removed on purpose, its keys are gone. If it was lost by accident, they
  // are still near the top.
  const top = after.body.split('\n', before.lines + 20)
  if (!before.yaml.split('\n').some((line) => /^[\w-]+:/.test(line) && top.includes(line))) return []
  const message = 'The page has lost its front matter. The front matter must start with "---" on line 1.'
  return [{ check: 'frontmatter', code: 'frontmatter_lost', path: change.path, line: 1, subject: '', message }]
}

function split(bytes: Uint8Array | null) {
  const file = bytes === null ? 'binary' : decodeText(bytes)
  return typeof file === 'string' ? null : splitFrontmatter(file.text)
}
