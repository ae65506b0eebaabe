import type { Workspace } from '@corrigenda/git/workspace'
import { findSite } from '../frameworks/find-site.ts'
import { toDialect } from '../links/to-dialect.ts'
import { foldAnchor, foldAscii } from '../pages/fold-anchor.ts'
import { readPage } from '../pages/read-page.ts'
import { openSites } from '../sites/open-sites.ts'
import { findAnchorLinks } from './find-anchor-links.ts'
import { MoveError } from './move-error.ts'
import { readRepository } from './read-repository.ts'

/**
 * Finds the links in other pages whose anchor a written page no longer has. Returns them as
 * `path:line: link`. Returns an empty list if the page does not parse, or if too many pages would
 * have to be parsed.
 * @param before the page's bytes before it was written
 */
export async function findBrokenAnchors(
  workspace: Workspace,
  page: string,
  before: Uint8Array,
): Promise<readonly string[]> {
  const { sites } = await openSites(workspace)
  const dialect = toDialect(page, findSite(sites, page))
  if (dialect === null) return []
  const [old, now] = [readPage(before, dialect), readPage(await workspace.read(page), dialect)]
  const kept = new Set(now.anchors)
  const lost = old.anchors.filter((anchor) => !kept.has(anchor))
  if (lost.length === 0 || old.unread !== null || now.unread !== null) return []
  const repository = await readRepository(workspace)
  try {
    const { links } = await findAnchorLinks(repository, page, lost)
    return links
      .filter(
        ({ page: from, anchor }) => from !== page && !kept.has(foldAnchor(anchor)) && !kept.has(foldAscii(anchor)),
      )
      .map(({ page: from, span }) => {
        const line = repository.texts.get(from)?.slice(0, span.start).split('\n').length
        return `${from}:${line}: ${span.href.slice(0, 200)}`
      })
  } catch (error) {
    if (error instanceof MoveError) return []
    throw error
  }
}
