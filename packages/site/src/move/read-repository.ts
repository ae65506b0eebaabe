import type { Workspace } from '@corrigenda/git/workspace'
import { readAllText } from '@corrigenda/git/workspace'
import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import { findLinkSpans, type LinkSpan } from '../pages/find-link-spans.ts'
import { PAGE } from '../pages/paths.ts'
import { type PageFacts, readPageFacts } from '../pages/read-page-facts.ts'
import { readSites } from '../sites/read-sites.ts'
import { toSiteSource } from '../sites/to-site-source.ts'

/** A repository's current sites and page text. */
export interface Repository {
  readonly sites: readonly Site[]
  readonly index: SiteIndex
  /**
   * Text keyed by page, with LF line endings and no byte order mark. Excludes pages over 1 MB and
   * pages that are not UTF-8.
   */
  readonly texts: ReadonlyMap<string, string>
  readonly paths: readonly string[]
  /**
   * Returns the link destinations in a page. Returns null if the page does not parse. Parses each
   * page only once.
   */
  findSpans(page: string): readonly LinkSpan[] | null
}

export async function readRepository(workspace: Workspace): Promise<Repository> {
  const entries = await workspace.list()
  const paths = entries.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []))
  const texts = new Map<string, string>()
  const facts = new Map<string, PageFacts>()
  const pages = entries.filter((entry) => PAGE.test(entry.path))
  for await (const { path, text } of readAllText(workspace, pages)) {
    texts.set(path, text)
    facts.set(path, readPageFacts(text))
  }
  const sites = await readSites(toSiteSource(workspace, paths))
  const index = buildSiteIndex(sites, paths, facts)
  const known = new Map<string, readonly LinkSpan[] | null>()
  const findSpans = (page: string) => {
    const found = known.get(page) ?? findPageSpans(index, page, texts.get(page) ?? '')
    known.set(page, found)
    return found
  }
  return { sites, index, texts, paths, findSpans }
}

/** Returns the link destinations in a page's text, or null if it does not parse. */
export function findPageSpans({ sites }: SiteIndex, page: string, text: string): readonly LinkSpan[] | null {
  const dialect = toDialect(page, findSite(sites, page))
  return dialect === null ? [] : findLinkSpans(text, dialect)
}
