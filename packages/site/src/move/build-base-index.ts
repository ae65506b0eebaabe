import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { readPageFacts } from '../pages/read-page-facts.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { Workspace, WorkspaceChange } from '../workspace/workspace.ts'

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
