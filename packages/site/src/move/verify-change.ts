import type { Site } from '../frameworks/framework.ts'
import { findPatternRedirect, findPlainRedirect } from '../links/find-redirect.ts'
import { resolveUrl } from '../links/resolve-url.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toAddress } from '../pages/paths.ts'
import { openBaseSites } from '../sites/open-sites.ts'
import type { PageReader } from '../thread/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildBaseIndex } from './find-broken-anchors.ts'
import { readRepository } from './read-repository.ts'

interface ChangeVerification {
  /** Differences that no edit can intend, as sentences. */
  readonly damage: readonly string[]
  /** Entries and redirects that the change removes although they could remain, as sentences. */
  readonly lost: readonly string[]
}

const NOTHING: ChangeVerification = { damage: [], lost: [] }

/**
 * Compares the sites of the finished change with those of the base commit: sites, navigation
 * entries and redirects. Reads them again from the files, independently of the tools that edited
 * them.
 * @param moves new paths of moved files, keyed by their paths at the base commit
 * @param reader as for `readRepository`
 */
export async function verifyChange(
  workspace: Workspace,
  moves: ReadonlyMap<string, string>,
  reader?: PageReader,
): Promise<ChangeVerification> {
  const changes = await workspace.changes()
  const sites = await openBaseSites(workspace)
  const files = new Set(
    sites.flatMap(({ config, navigation, redirects }) => [config, ...navigation.files, ...redirects.files]),
  )
  if (!changes.some(({ path }) => files.has(path))) return NOTHING
  const { index: after } = await readRepository(workspace, reader)
  const before = await buildBaseIndex(workspace, sites, after, changes)
  const damage: string[] = []
  const lost: string[] = []
  for (const site of sites) {
    const config = site.config === null ? null : (moves.get(site.config) ?? site.config)
    const now = after.sites.find((other) => other.framework === site.framework && other.config === config)
    if (now === undefined) {
      if (site.navigation.entries.length > 0) damage.push(`The site of ${site.config} is no longer found.`)
      continue
    }
    damage.push(...findDuplicates(site, now))
    lost.push(...findLostRedirects(after, site, now), ...findLostEntries({ before, after, site, now, moves }))
  }
  return { damage, lost }
}

function findDuplicates(site: Site, now: Site): string[] {
  const count = ({ redirects }: Site) => {
    const sources = new Map<string, number>()
    for (const { file, source, pattern } of redirects.list) {
      const key = `${file}: ${toAddress(source)}`
      if (!pattern) sources.set(key, (sources.get(key) ?? 0) + 1)
    }
    return sources
  }
  const known = count(site)
  return [...count(now)].flatMap(([key, number]) =>
    number > Math.max(1, known.get(key) ?? 0) ? [`Several redirects have the same source. ${key}`] : [],
  )
}

/** Returns the redirects whose source no longer leads anywhere. */
function findLostRedirects(after: SiteIndex, site: Site, now: Site): string[] {
  const listed = new Set(now.redirects.list.map(({ source }) => source))
  return site.redirects.list.flatMap(({ file, source, destination, pattern, isConditional }) => {
    const isKept =
      pattern ||
      (isConditional && listed.has(source)) ||
      findPlainRedirect(after, now, source) !== null ||
      findPatternRedirect(after, now, toAddress(source)) !== null ||
      resolveUrl(after, now, toAddress(source)).paths.length > 0
    return isKept ? [] : [`${file}: the redirect from ${source} to ${destination} is removed.`]
  })
}

interface EntryInput {
  readonly before: SiteIndex
  readonly after: SiteIndex
  readonly site: Site
  readonly now: Site
  readonly moves: ReadonlyMap<string, string>
}

/** Returns the pages that still exist, but have lost their navigation entry. */
function findLostEntries({ before, after, site, now, moves }: EntryInput): string[] {
  const kept = after.named[after.sites.indexOf(now)]
  return [...(before.named[before.sites.indexOf(site)] ?? [])].flatMap((page) => {
    const path = moves.get(page) ?? page
    if (!after.files.has(path) || kept?.has(path) === true) return []
    return [`${site.navigation.files[0] ?? site.config}: the entry of ${path} is removed, but the page remains.`]
  })
}
