import { buildConfigFiles, type SiteSource } from '../config/config-files.ts'
import type { Detection, Framework, Site } from '../frameworks/framework.ts'
import { plain } from '../frameworks/plain/plain.ts'
import type { SiteReading } from '../frameworks/site.ts'
import { isBelow, toFolder } from '../pages/paths.ts'
import { ALL_FRAMEWORKS } from './all-frameworks.ts'
import { assignOwners } from './assign-owners.ts'
import { addHostRedirects } from './read-host-redirects.ts'

/**
 * Maximum number of sites per repository. Repositories with templates or test fixtures have more,
 * but do not publish them.
 */
const MAX_SITES = 20
const MAX_TRIED = 60
const FOREIGN = /(^|\/)(node_modules|vendor|third_party|__tests__|__fixtures__|fixtures|testdata)\//

/**
 * Reads a repository's documentation sites, closest to the root first. The last one is always plain
 * Markdown, for files outside all other sites. Depends only on `source`. Runs no code and reads no
 * other input. Records an unreadable file as a fault of its site. Throws only errors from
 * `source.read`.
 */
export async function readSites(source: SiteSource): Promise<Site[]> {
  const files = buildConfigFiles(source)
  const sites: Site[] = []
  const detections = ALL_FRAMEWORKS.flatMap((framework) =>
    framework.detections.map((detection) => ({ framework, detection })),
  )
  let tried = 0
  for (const { framework, detection } of detections) {
    const configs = source.paths.filter((path) => detection.config.test(path) && !FOREIGN.test(path)).sort(byDepth)
    for (const config of configs) {
      if (isTaken(sites, framework, detection, config)) continue
      if (sites.length >= MAX_SITES || tried >= MAX_TRIED) break
      tried += 1
      const reading = await framework.read(files, config)
      if (reading !== null) sites.push(await addHostRedirects(files, toSite(framework, reading)))
    }
  }
  sites.sort((a, b) => depth(a.root) - depth(b.root) || compare(a.root, b.root))
  const rest = await plain.read(files, '')
  if (rest === null) return assignOwners(sites)
  return assignOwners([...sites, toSite(plain, { ...rest, ignored: sites.flatMap(({ ignored }) => ignored) })])
}

const toSite = (framework: Framework, reading: SiteReading): Site => ({ framework, ...reading })

/** Returns true if a configuration file belongs to a site that was found earlier. */
function isTaken(sites: readonly Site[], framework: Framework, { older, yields }: Detection, config: string): boolean {
  if (yields && sites.some(({ content }) => content.some(({ folder }) => isBelow(config, folder)))) return true
  if (older?.test(config) !== true) return false
  const isNewer = (other: string | null) => other !== null && other !== config && toFolder(other) === toFolder(config)
  return sites.some((site) => site.framework === framework && isNewer(site.config))
}

const depth = (path: string) => (path === '' ? 0 : path.split('/').length)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function byDepth(a: string, b: string): number {
  return depth(a) - depth(b) || compare(a, b)
}
