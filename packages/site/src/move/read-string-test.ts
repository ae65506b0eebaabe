import type { ConfigString } from '../config/config-string.ts'
import type { StringTest } from '../edit/restore-strings.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { findStringTarget } from '../references/find-string-target.ts'
import { listConfigFiles } from '../references/list-config-files.ts'
import { openBaseSites } from '../sites/open-sites.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildBaseIndex } from './find-broken-anchors.ts'
import { readRepository } from './read-repository.ts'

/**
 * Reads the sites at the base commit and now, and returns the test for a configuration file's texts:
 * the address or the path of a file at the base commit may become that of a file which exists now.
 * @param planned the index after a plan that has not been applied; by default, the current state
 */
export async function readStringTest(workspace: Workspace, planned?: SiteIndex): Promise<(path: string) => StringTest> {
  const sites = await openBaseSites(workspace)
  const { index } = await readRepository(workspace)
  const before = await buildBaseIndex(workspace, sites, index, await workspace.changes())
  const after = planned ?? index
  return (path) => (old, now) => {
    const isNamed = (where: SiteIndex, string: ConfigString) =>
      where.sites.some(
        (site) => listConfigFiles(site).includes(path) && findStringTarget(where, site, path, string) !== null,
      )
    return isNamed(before, old) && isNamed(after, now)
  }
}
