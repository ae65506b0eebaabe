import { readAllText, type Workspace, WorkspaceError } from '@corrigenda/git/workspace'
import { buildSiteIndex } from '../site/build-site-index.ts'
import { PAGE } from '../site/paths.ts'
import { readPageFacts } from '../site/read-page-facts.ts'
import { readSites } from '../site/read-sites.ts'
import type { PageFacts, Site, SiteIndex, SiteSource } from '../site/site.ts'

/** The sites of a repository as they are now, and the text of its pages. */
export interface Repository {
  readonly sites: readonly Site[]
  readonly index: SiteIndex
  /** Text by page: LF line ends, no byte order mark. Pages over 1 MB and those that are no UTF-8 are left out. */
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

/** The current state of a workspace, or with `base` its base commit, as `readSites` takes it. */
export function toSiteSource(workspace: Workspace, paths: readonly string[], base = false): SiteSource {
  return {
    paths,
    async read(path) {
      try {
        return base ? await workspace.readBase(path) : await workspace.read(path)
      } catch (error) {
        if (error instanceof WorkspaceError) return null
        throw error
      }
    },
  }
}
