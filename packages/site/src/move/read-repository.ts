import type { Workspace } from '@corrigenda/git/workspace'
import { readAllText } from '@corrigenda/git/workspace'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { PAGE } from '../pages/paths.ts'
import { type PageFacts, readPageFacts } from '../pages/read-page-facts.ts'
import { readSites } from '../sites/read-sites.ts'
import { toSiteSource } from '../sites/to-site-source.ts'

/** The current sites of a repository and the text of its pages. */
export interface Repository {
  readonly sites: readonly Site[]
  readonly index: SiteIndex
  /**
   * Text by page: LF line endings, no byte order mark. Excludes pages over 1 MB and pages that are
   * not UTF-8.
   */
  readonly texts: ReadonlyMap<string, string>
  readonly paths: readonly string[]
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
  return { sites, index: buildSiteIndex(sites, paths, facts), texts, paths }
}
