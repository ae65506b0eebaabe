import { buildConfigFiles, type ConfigFiles, type SiteSource } from '../config/config-files.ts'
import { readComponents } from '../frameworks/components.ts'
import type { Detection, Framework, Site } from '../frameworks/framework.ts'
import { plain } from '../frameworks/plain/plain.ts'
import { readAliases } from '../frameworks/read-aliases.ts'
import type { SiteReading } from '../frameworks/site.ts'
import { toMath } from '../pages/dialect.ts'
import { isUnpublished } from '../pages/is-unpublished.ts'
import { isBelow, toFolder } from '../pages/paths.ts'
import { ALL_FRAMEWORKS } from './all-frameworks.ts'
import { assignOwners } from './assign-owners.ts'
import { readGitIgnores } from './read-git-ignores.ts'
import { addHostRedirects } from './read-host-redirects.ts'

/**
 * Maximum number of sites per repository. Repositories with templates or test fixtures have more,
 * but do not publish them.
 */
const MAX_SITES = 20
const MAX_TRIED = 60

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
    const configs = source.paths.filter((path) => detection.config.test(path) && !isUnpublished(path)).sort(byDepth)
    for (const config of configs) {
      if (isTaken(sites, framework, detection, config)) continue
      if (sites.length >= MAX_SITES || tried >= MAX_TRIED) break
      tried += 1
      const reading = await framework.read(files, config)
      if (reading === null) continue
      const site = await toSite(files, framework, reading)
      if (detection.yields && isCovered(sites, site)) continue
      if (sites.some((other) => hasSamePages(other, site))) continue
      sites.push(await addHostRedirects(files, site))
    }
  }
  sites.sort((a, b) => depth(a.root) - depth(b.root) || compare(a.root, b.root))
  const rest = await plain.read(files, '')
  if (rest === null) return assignOwners(sites)
  return assignOwners([
    ...sites,
    await toSite(files, plain, {
      ...rest,
      ignored: sites.flatMap(({ ignored }) => ignored),
      generated: await readGitIgnores(files),
    }),
  ])
}

async function toSite(files: ConfigFiles, framework: Framework, reading: SiteReading): Promise<Site> {
  const { mdx, md, code } =
    reading.config === null || framework.readDialects === undefined
      ? framework.dialects
      : await framework.readDialects(files, reading.config)
  const isMath = framework.hasMath === true || (await mentionsMath(files, reading))
  const rules = framework.components
  const components = rules === undefined ? null : await readComponents(files, reading, rules)
  return {
    framework,
    ...reading,
    dialects: {
      mdx: toMath(mdx, isMath),
      md: toMath(md, isMath),
      ...(code === undefined ? {} : { code: toMath(code, isMath) }),
    },
    components,
    aliases: await readAliases(files, reading),
  }
}

/** Matches settings and plugins of formulas. */
const MATH =
  /katex|mathjax|remark-?math|arithmatex|dollarmath|passthrough|\b(?:math|latex)["']?\s{0,9}:(?!\s{0,9}false)|^INHERIT\b/im

/** Returns true if the configuration of a site names a plugin for formulas. */
async function mentionsMath(files: ConfigFiles, { root, config }: SiteReading): Promise<boolean> {
  const next = files.paths.filter((path) => toFolder(path) === root && /(?:^|\/)next\.config\.[cm]?[jt]s$/.test(path))
  for (const path of config === null ? [] : [config, ...next]) {
    const file = await files.open(path)
    const { modules } = file === null ? { modules: [] } : await files.evaluate(file)
    if (modules.some(({ text }) => MATH.test(text))) return true
  }
  return false
}

/** Returns true if a configuration file belongs to a site that was found earlier. */
function isTaken(sites: readonly Site[], framework: Framework, { older, yields }: Detection, config: string): boolean {
  if (yields && sites.some((site) => hasFile(site, config) && !isApart(site, framework, toFolder(config)))) return true
  if (older?.test(config) !== true) return false
  const isNewer = (other: string | null) => other !== null && other !== config && toFolder(other) === toFolder(config)
  return sites.some((site) => site.framework === framework && isNewer(site.config))
}

const hasFile = ({ content }: Site, path: string) => content.some(({ folder }) => isBelow(path, folder))

/** Returns true if a site has the same framework and lists no page in a folder. */
function isApart(site: Site, framework: Framework, folder: string): boolean {
  const pages = site.navigation.entries.flatMap(({ candidates }) => candidates)
  return site.framework === framework && !pages.some((page) => isBelow(page, folder))
}

/**
 * Returns true if sites of other frameworks contain a site's navigation files, or some of its pages
 * if it has no navigation. Its configuration then remains from an earlier framework.
 */
function isCovered(sites: readonly Site[], { framework, navigation, content }: Site): boolean {
  const others = sites.filter((site) => site.framework !== framework)
  if (navigation.files.some((file) => others.some((site) => hasFile(site, file)))) return true
  const isInside = (folder: string) => content.some((own) => folder === own.folder || isBelow(folder, own.folder))
  return navigation.mode === 'all' && others.some((site) => site.content.some(({ folder }) => isInside(folder)))
}

/** Returns true if two sites are different builds of the same pages. */
function hasSamePages(a: Site, b: Site): boolean {
  return a.framework === b.framework && JSON.stringify(a.content) === JSON.stringify(b.content)
}

const depth = (path: string) => (path === '' ? 0 : path.split('/').length)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function byDepth(a: string, b: string): number {
  return depth(a) - depth(b) || compare(a, b)
}
