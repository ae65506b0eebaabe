import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { Workspace, WorkspaceChange } from '../workspace/workspace.ts'
import type { JudgedLinks } from './judge-links.ts'
import type { Problem } from './problem.ts'
import type { Base } from './read-base.ts'
import type { Now } from './read-now.ts'

/**
 * What an issue does to the change. `breaks_page` prevents the build of the site if the page is
 * built, `breaks_site` always. Both also block.
 */
export type Severity = 'advisory' | 'blocks' | 'breaks_page' | 'breaks_site'

/** A change, as seen by the checks. */
export interface CheckInput {
  readonly workspace: Workspace
  readonly changes: readonly WorkspaceChange[]
  /** New paths keyed by old path. */
  readonly renames: ReadonlyMap<string, string>
  readonly base: Base
  readonly now: Now
  /** The changed files, or null if all pages are checked. */
  readonly pages: readonly string[] | null
  readonly links: JudgedLinks
}

/** Problems of both states, in the order in which they are listed. */
export interface Found {
  readonly before: readonly Problem[]
  readonly after: readonly Problem[]
}

/** What a check could not look at. */
export interface Unjudged {
  /** True if the check passes for the rest. False if it has no result. */
  readonly isPartial: boolean
  /** Complete sentences. */
  readonly reasons: readonly string[]
}

export interface Check {
  readonly name: string
  /** The kinds of issues, keyed by code. The severity may depend on the site. */
  readonly issues: Readonly<Record<string, Severity | ((site: Site, problem: Problem) => Severity)>>
  find(input: CheckInput): Promise<Found>
  findUnjudged?(input: CheckInput): Unjudged | null
}

/**
 * Returns the severity of a problem. Files outside the content folders of all sites are not built.
 * In a repository without a site, another tool may build them.
 */
export function findSeverity(sites: readonly Site[], { issues }: Check, problem: Problem): Severity {
  if (problem.advisory === true) return 'advisory'
  const site = findSite(sites, problem.path)
  const rule = issues[problem.code] ?? 'blocks'
  const severity = typeof rule === 'function' ? rule(site, problem) : rule
  const isBuilt = site.config === null ? sites.length === 1 : findContent(site, problem.path) !== null
  return severity === 'breaks_page' && !isBuilt ? 'blocks' : severity
}

/** Returns the sites that a check of all sites, or of the changed files, covers. */
export function listTouched({ now, pages }: CheckInput): readonly Site[] {
  return pages === null ? now.sites : [...new Set(pages.map((page) => findSite(now.sites, page)))]
}
