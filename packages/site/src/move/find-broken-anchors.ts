import { findSite } from '../frameworks/find-site.ts'
import { toDialect } from '../links/to-dialect.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import { openSites } from '../sites/open-sites.ts'
import { buildPageReader, type PageReader } from '../thread/page-reader.ts'
import { readContents } from '../thread/read-contents.ts'
import type { Workspace } from '../workspace/workspace.ts'
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
