import type { ReadSite } from '../frameworks/build-site.ts'
import { readDocusaurus } from '../frameworks/read-docusaurus.ts'
import { readFern } from '../frameworks/read-fern.ts'
import { readMintlify } from '../frameworks/read-mintlify.ts'
import { readMkdocs } from '../frameworks/read-mkdocs.ts'
import { readNextra } from '../frameworks/read-nextra.ts'
import { readStarlight } from '../frameworks/read-starlight.ts'
import { readGitbook, readMdbook } from '../frameworks/read-summary.ts'
import { readVitepress } from '../frameworks/read-vitepress.ts'
import { buildConfigFiles } from './config-files.ts'
import { isBelow, toFolder } from './paths.ts'
import { addHostRedirects } from './read-host-redirects.ts'
import type { Site, SiteSource } from './site.ts'

const READERS: readonly { readonly pattern: RegExp; readonly read: ReadSite; readonly yields?: true }[] = [
  { pattern: /(^|\/)(docs|mint)\.json$/, read: readMintlify },
  { pattern: /(^|\/)docusaurus\.config\.[cm]?[jt]s$/, read: readDocusaurus },
  { pattern: /(^|\/)mkdocs\.ya?ml$/, read: readMkdocs },
  { pattern: /(^|\/)\.vitepress\/config(\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/, read: readVitepress },
  { pattern: /(^|\/)astro\.config\.[cm]?[jt]s$/, read: readStarlight },
  { pattern: /(^|\/)fern\/docs\.ya?ml$/, read: readFern },
  { pattern: /(^|\/)_meta(\.[a-z]{2}(-[A-Za-z]{2,4})?)?\.(json|[cm]?[jt]sx?)$/, read: readNextra, yields: true },
  { pattern: /(^|\/)book\.toml$/, read: readMdbook },
  { pattern: /(^|\/)\.gitbook\.ya?ml$/, read: readGitbook },
  { pattern: /(^|\/)SUMMARY\.md$/, read: readGitbook, yields: true },
]
/** Sites per repository; a repository of templates or test fixtures has more, and none of those is published. */
const MAX_SITES = 20
const MAX_TRIED = 60
const FOREIGN = /(^|\/)(node_modules|vendor|third_party|__tests__|__fixtures__|fixtures|testdata)\//

/** What belongs to no site: Markdown as a code host shows it. */
const PLAIN: Site = {
  framework: 'plain',
  root: '',
  config: null,
  content: [{ folder: '', url: '/', kind: 'docs', language: null }],
  base: '',
  navigation: { mode: 'all', generated: [], omitted: [], entries: [], files: [] },
  redirects: { list: [], files: [], complete: true },
  publicFolders: [],
  languages: [],
  addresses: 'unknown',
  languageFallback: false,
  faults: [],
}

/**
 * The documentation sites of a repository, the one nearest to its root first. The last one is always the plain one, for what belongs to none.
 * A pure function of what `source` holds. Nothing is executed, nothing outside `source` is read; files that cannot be read become faults of
 * their site. Throws only what `source.read` throws.
 */
export async function readSites(source: SiteSource): Promise<Site[]> {
  const files = buildConfigFiles(source)
  const sites: Site[] = []
  let tried = 0
  for (const { pattern, read, yields } of READERS) {
    const configs = source.paths.filter((path) => pattern.test(path) && !FOREIGN.test(path)).sort(byDepth)
    for (const config of configs) {
      // A `SUMMARY.md` or `_meta` file inside of another site is a page or belongs to what was read already.
      if (yields && sites.some((site) => site.content.some(({ folder }) => isBelow(config, folder)))) continue
      // The older of two configurations of one folder.
      if (sites.some((site) => site.framework === 'mintlify' && site.config !== null && isTwin(site.config, config)))
        continue
      if (sites.length >= MAX_SITES || tried >= MAX_TRIED) break
      tried += 1
      const site = await read(files, config)
      if (site !== null) sites.push(await addHostRedirects(files, site))
    }
  }
  sites.sort((a, b) => depth(a.root) - depth(b.root) || compare(a.root, b.root))
  return [...sites, PLAIN]
}

const isTwin = (a: string, b: string) => a !== b && toFolder(a) === toFolder(b) && /mint\.json$/.test(b)
const depth = (path: string) => (path === '' ? 0 : path.split('/').length)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function byDepth(a: string, b: string): number {
  return depth(a) - depth(b) || compare(a, b)
}
