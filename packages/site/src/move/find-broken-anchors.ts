import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import { readPageFacts } from '../pages/read-page-facts.ts'
import { openSites } from '../sites/open-sites.ts'
import { buildPageReader, type PageReader } from '../thread/page-reader.ts'
import { readContents } from '../thread/read-contents.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { Workspace, WorkspaceChange } from '../workspace/workspace.ts'
import { findAnchorLinks } from './find-anchor-links.ts'
import { MoveError } from './move-error.ts'
import { readRepository } from './read-repository.ts'

/**
 * Finds the links in other pages whose anchor a written page no longer has. Returns them as
 * `path:line: link`. Returns an empty list if the page does not parse, or if too many pages would
 * have to be parsed.
 * @param before the page's bytes before it was written
 * @param reader as for `readRepository`
 */
export async function findBrokenAnchors(
  workspace: Workspace,
  page: string,
  before: Uint8Array,
  reader: PageReader = buildPageReader(),
): Promise<readonly string[]> {
  const { sites } = await openSites(workspace)
  const dialect = toDialect(page, findSite(sites, page))
  if (dialect === null) return []
  const after = await workspace.read(page)
  const read = await readContents(reader, workspace, [
    { path: 'before', dialect, blob: null, read: async () => before },
    { path: 'after', dialect, blob: null, read: async () => after },
  ])
  const [old, now] = [read.get('before'), read.get('after')]
  if (old === undefined || now === undefined) return []
  const kept = new Set(now.anchors)
  const lost = old.anchors.filter((anchor) => !kept.has(anchor))
  if (lost.length === 0 || old.unread !== null || now.unread !== null) return []
  const repository = await readRepository(workspace, reader)
  try {
    const { links } = await findAnchorLinks(repository, page, lost)
    return links
      .filter(({ page: from, anchor }) => from !== page && !kept.has(foldAnchor(anchor)))
      .map(({ page: from, span }) => {
        const line = repository.textOf(from).slice(0, span.start).split('\n').length
        return `${from}:${line}: ${span.href.slice(0, 200)}`
      })
  } catch (error) {
    if (error instanceof MoveError) return []
    throw error
  }
}

/**
 * Builds the index of the base commit.
 * @param sites the sites of the base commit
 * @param after the index of the current state, from which the front matter of unchanged pages is
 *   taken
 */
export async function buildBaseIndex(
  workspace: Workspace,
  sites: readonly Site[],
  after: SiteIndex,
  changes: readonly WorkspaceChange[],
): Promise<SiteIndex> {
  const facts = new Map(after.facts)
  for (const { path, before } of changes) {
    const decoded = before === null ? 'binary' : decodeText(before)
    if (typeof decoded === 'string') facts.delete(path)
    else facts.set(path, readPageFacts(decoded.text))
  }
  const paths = (await workspace.listBase()).flatMap(({ path, kind }) => (kind === 'file' ? [path] : []))
  return buildSiteIndex(sites, paths, facts)
}
