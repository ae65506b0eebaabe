import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { type PageFacts, readPageFacts } from '../pages/read-page-facts.ts'
import { readSites } from '../sites/read-sites.ts'
import { toSiteSource } from '../sites/to-site-source.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { comparePages } from './compare-pages.ts'
import { compareEntries, compareFields, compareRedirects } from './compare-sites.ts'
import { compareNavigationText } from './compare-text.ts'
import { type Comparison, type IntendedChange, type SitePair, toText } from './comparison.ts'
import type { Repository } from './read-repository.ts'

/**
 * Reads the sites as they would be after the plan, and compares them with the current ones. Apart
 * from the intended change, the following must not differ: the sites, their navigation entries and
 * the pages those refer to, their redirects and faults, every link that resolves to a file, and the
 * text of the written files.
 * @returns the first difference in each site, or if the sites match, in each page; empty if the
 *   plan is safe
 */
export async function verifyPlan(
  workspace: Workspace,
  repository: Repository,
  change: IntendedChange,
): Promise<readonly string[]> {
  const toPath = (path: string) => {
    const target = change.moves.get(path)
    return target === undefined ? path : target
  }
  const after = await readPlanned(workspace, repository, change, toPath)
  const comparison: Comparison = { repository, before: repository.index, after, change, toPath }
  const pairs = pairSites(comparison)
  if (typeof pairs === 'string') return [pairs]
  const differences = pairs.flatMap(
    ([site, now]) =>
      compareFields(comparison, site, now) ??
      compareEntries(comparison, site, now) ??
      compareRedirects(comparison, site, now) ??
      [],
  )
  if (differences.length > 0) return differences
  const texts = await compareNavigationText(workspace, comparison, pairs)
  return texts === null ? await comparePages(comparison) : [texts]
}

async function readPlanned(
  workspace: Workspace,
  { paths, index }: Repository,
  { writes }: IntendedChange,
  toPath: Comparison['toPath'],
): Promise<SiteIndex> {
  const sources = new Map(paths.flatMap((path) => [[toPath(path), path] as const]))
  const planned = [...sources.keys()].filter((path) => path !== null)
  const known = toSiteSource(workspace, paths)
  const sites = await readSites({
    paths: planned,
    async read(path) {
      const source = sources.get(path)
      return source === undefined ? null : (writes.get(source) ?? (await known.read(source)))
    },
  })
  const facts = new Map<string, PageFacts>()
  for (const [path, own] of index.facts) {
    const target = toPath(path)
    const bytes = writes.get(path)
    if (target !== null) facts.set(target, bytes === undefined ? own : readPageFacts(toText(bytes)))
  }
  return buildSiteIndex(sites, planned, facts)
}

/**
 * Pairs the sites before and after the change by framework and main configuration. The order may
 * differ, because sites are sorted by folder. Some frameworks use any navigation file as the main
 * configuration, so a single remaining site per framework is also paired. Returns a description of
 * the first site that cannot be paired.
 */
function pairSites({ before, after, toPath }: Comparison): readonly SitePair[] | string {
  const rest = new Set(after.sites)
  const pairs = new Map<Site, Site>()
  const toName = ({ config }: Site) => config ?? 'the repository'
  const add = (site: Site, now: Site | undefined) => {
    if (now === undefined) return
    pairs.set(site, now)
    rest.delete(now)
  }
  const isSame = (site: Site, now: Site) => now.framework === site.framework
  for (const site of before.sites) {
    const config = site.config === null ? null : toPath(site.config)
    add(
      site,
      [...rest].find((now) => isSame(site, now) && now.config === config),
    )
  }
  const open = before.sites.filter((site) => !pairs.has(site))
  for (const site of open) {
    const found = [...rest].filter((now) => isSame(site, now))
    if (found.length === 1 && open.filter((other) => isSame(other, site)).length === 1) add(site, found[0])
  }
  const lost = before.sites.find((site) => !pairs.has(site))
  if (lost !== undefined) return `the site of ${toName(lost)} would no longer be found`
  const [added] = rest
  return added === undefined ? [...pairs] : `a new site, ${toName(added)}, would be found`
}
