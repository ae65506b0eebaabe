import { posix } from 'node:path'
import type { SiteTree } from '../tree/site-tree.ts'
import type { DocSite, InboundLink, ResolvedLink, SiteLayout } from './doc-site.ts'
import { type DocPage, readPage } from './read-page.ts'
import { toRoutes } from './to-routes.ts'

const PAGE = /\.(?:md|mdx|markdown|mdoc)$/i
const NAVIGATION =
  /(?:^|\/)(?:docs\.json|mint\.json|docs\.ya?ml|mkdocs\.ya?ml|SUMMARY\.md|book\.toml|\.gitbook\.ya?ml|_redirects|redirects?\.(?:json|ya?ml|[cm]?[jt]s)|vercel\.json|netlify\.toml|versions\.json|[\w.-]*sidebars?[\w.-]*\.(?:[cm]?[jt]s|json|ya?ml)|(?:docusaurus|astro|next)\.config\.[cm]?[jt]s|_meta(?:\.global)?\.(?:json|[cm]?[jt]sx?))$|(?:^|\/)\.vitepress\/(?:config|locales?|[\w-]*(?:sidebar|nav)[\w-]*)(?:\/[\w./-]+)?\.[cm]?[jt]s$|(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml)$/
/** Folders whose navigation files belong to old versions, tests, templates and example sites. */
const TEST_FOLDER =
  /(?:^|\/)(?:__\w+__|versioned_sidebars|tests?|fixtures|examples?|templates?|packages|node_modules)\//
const EXTENSIONS = [
  '',
  '.md',
  '.mdx',
  '.markdown',
  '.mdoc',
  '/index.md',
  '/index.mdx',
  '/README.md',
  '/_index.md',
  '/page.mdx',
  '/page.md',
]

/** Builds the model of a site. `like` gives the address prefixes, if they were found already. */
export function buildSite(tree: SiteTree, layout: SiteLayout, like?: DocSite): DocSite {
  const files = new Set(tree.paths)
  const pages = new Map<string, DocPage>()
  for (const path of tree.paths) {
    if (!PAGE.test(path)) continue
    const text = tree.text(path)
    const known = like?.pages.get(path)
    if (text !== null) pages.set(path, known?.text === text ? known : readPage(path, text))
  }
  const inside = (path: string) =>
    layout.content.some((folder) => isBelow(path, folder)) &&
    !/(?:^|\/)(?:_(?!index)|SUMMARY\.md$|snippets?\/|node_modules\/)/.test(path) &&
    !(layout.exclude ?? []).some((part) => path === part || isBelow(path, part))
  const content = [...pages.values()].filter(({ path }) => inside(path))
  const routes = layout.content.map((folder) => listRoutes(folder, pages))
  const mounts = like === undefined ? findMounts(layout, content, routes, tree) : (MOUNTS.get(like) ?? [])
  const allRoots = listRoots(layout, files)
  const isReleased = layout.content.some((folder) => hasReleases(layout, folder, tree))
  // With releases, an address without an extension leads to a released page, not to the folder's file.
  const toRoots = (path: string) => (isReleased && posix.extname(path) === '' ? [] : allRoots)
  const findFile = (path: string): string | null => {
    for (const extension of EXTENSIONS) if (files.has(path + extension)) return path + extension
    const page = path.replace(/\.html?$/, '')
    return page === path
      ? null
      : (EXTENSIONS.map((extension) => page + extension).find((file) => files.has(file)) ?? null)
  }
  const findAddress = (address: string): string | null => {
    const clean = address.replace(/(.)\/+$/, '$1').replace(/\.html?$/, '')
    return findExact(clean) ?? (layout.framework === 'starlight' ? findFallback(clean) : null)
  }
  const locales = new Set([...pages.keys()].flatMap((path) => listParents(posix.dirname(path))))
  // Starlight shows the page of the default language under the address of a missing translation.
  const findFallback = (address: string): string | null => {
    const [, locale = '', rest = ''] = /^\/([a-z]{2}(?:-[a-z]{2,4})?)(\/.+)$/.exec(address) ?? []
    return layout.content.some((folder) => locales.has(posix.join(folder, locale))) ? findExact(rest) : null
  }
  const findExact = (clean: string): string | null => {
    for (const [at, mount] of mounts.entries()) {
      if (clean !== mount && !clean.startsWith(`${mount}/`)) continue
      const file = routes[at]?.get(clean.slice(mount.length) || '/')
      if (file !== undefined) return file
    }
    return null
  }
  const tops = new Set(layout.content.map((folder) => folder.split('/')[0] ?? ''))
  const resolvePath = (page: string, path: string): string | null => {
    if (path.startsWith('/')) {
      // Pages of other projects in the repository have other addresses.
      if (!tops.has('') && !tops.has(page.split('/')[0] ?? '')) return null
      const found = findAddress(path)
      if (found !== null) return found
      for (const root of toRoots(path)) {
        const file = findFile(posix.normalize(posix.join(root, path)).replace(/^\/|\/$/g, ''))
        if (file !== null) return file
      }
      return null
    }
    const folder = posix.dirname(page)
    const joined = posix.normalize(posix.join(folder, path)).replace(/\/$/, '')
    if (joined.startsWith('..')) return null
    const file = findFile(joined)
    if (file !== null) return file
    for (const [at, own] of layout.content.entries()) {
      if (!isBelow(page, own)) continue
      for (const route of toRoutes(page.slice(own === '' ? 0 : own.length + 1), pages.get(page) ?? null)) {
        for (const base of [route, posix.dirname(route)]) {
          const found = routes[at]?.get(posix.normalize(posix.join(base, path)).replace(/(.)\/$/, '$1'))
          if (found !== undefined) return found
        }
      }
    }
    return null
  }
  const resolve = (page: string, href: string): ResolvedLink | null => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\/|[{}<>|]|^[@~]/i.test(href)) return null
    const [, path = '', hash] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? []
    const anchor = hash === undefined ? null : decode(hash)
    const file = path === '' ? page : resolvePath(page, decode(path))
    return file === null ? null : { file, anchor }
  }
  const resolveEntry = (file: string, value: string): string | null => {
    if (value === '' || /^[a-z][a-z0-9+.-]*:|^\/\/|[\s{}<>|*$]/i.test(value)) return null
    const bare = decode(value.replace(/[?#].*$/s, ''))
    if (bare === '' || bare === '/' || bare === '.') return null
    const candidates = [posix.dirname(file), ...layout.content, ...toRoots(bare)]
    for (const folder of candidates) {
      const path = posix.normalize(posix.join(folder, bare)).replace(/^\/|\/$/g, '')
      const found = path.startsWith('..') ? null : findFile(path)
      if (found !== null) return found
    }
    const address = bare.startsWith('/') ? bare : `/${bare}`
    if (address === '/index') return null
    const names = [address.replace(/(.)\/$/, '$1')]
    // Sidebar entries omit the language, whose pages may have their own folder.
    if (layout.framework === 'starlight') names.push(`/en${names[0]}`)
    return findAddress(address) ?? names.flatMap((name) => routes.map((map) => map.get(name))).find(Boolean) ?? null
  }
  const inbound = new Map<string, InboundLink[]>()
  const targets = new Map<string, readonly (ResolvedLink | null)[]>()
  for (const page of pages.values()) {
    const resolved = page.links.map(({ href }) => resolve(page.path, href))
    targets.set(page.path, resolved)
    for (const [at, target] of resolved.entries()) {
      if (target === null) continue
      const known = inbound.get(target.file)
      const entry = { page, at, anchor: target.anchor }
      if (known === undefined) inbound.set(target.file, [entry])
      else known.push(entry)
    }
  }
  // VitePress also loads the configuration files beside pages.
  const isAdded = (path: string) =>
    layout.framework === 'vitepress' &&
    /(?:^|\/)config\.[cm]?[jt]s$/.test(path) &&
    layout.content.some((folder) => isBelow(path, posix.dirname(folder).replace(/^\.$/, '')))
  const parts = listParts(tree)
  const isNavigation = (path: string) =>
    (NAVIGATION.test(path) || isAdded(path) || parts.has(path)) &&
    !TEST_FOLDER.test(path) &&
    !(layout.exclude ?? []).includes(path) &&
    (layout.framework === 'hugo' || !/(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml)$/.test(path)) &&
    !(layout.framework === 'hugo' && /(?:^|\/)\w*test\w*\//.test(path))
  const navigation = tree.paths.filter((path) => isNavigation(path) && tree.text(path) !== null)
  const site: DocSite = { layout, tree, files, pages, content, navigation, resolve, resolveEntry, targets, inbound }
  MOUNTS.set(site, mounts)
  return site
}

const MOUNTS = new WeakMap<DocSite, readonly string[]>()

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

function listRoutes(folder: string, pages: ReadonlyMap<string, DocPage>): Map<string, string> {
  const routes = new Map<string, string>()
  const inner = [...pages.values()].filter(({ path }) => isBelow(path, folder))
  for (const page of inner) {
    const own = toRoutes(page.path.slice(folder === '' ? 0 : folder.length + 1), page)
    // The address by path comes first; another page's looser form must not replace it.
    for (const [at, route] of own.entries()) if (at === 0 || !routes.has(route)) routes.set(route, page.path)
  }
  return routes
}

/** Matches a released version's folder in Docusaurus. A layout lists the latest version first. */
const VERSION = /(?:^|\/)versioned_docs\/version-([^/]+)$/

/**
 * Finds the prefix under which each content folder is served: the one with which most absolute links
 * lead to a page.
 */
function findMounts(
  layout: SiteLayout,
  content: readonly DocPage[],
  routes: readonly Map<string, string>[],
  tree: SiteTree,
): string[] {
  const hrefs = new Map<string, number>()
  for (const page of content) {
    for (const { href, kind } of page.links) {
      if (kind !== 'link' || !href.startsWith('/') || href.startsWith('//')) continue
      const path = href
        .replace(/[?#].*$/s, '')
        .replace(/(.)\/+$/, '$1')
        .replace(/\.html?$/, '')
      hrefs.set(path, (hrefs.get(path) ?? 0) + 1)
    }
  }
  const [latest] = layout.content.flatMap((folder) => VERSION.exec(folder)?.[1] ?? [])
  return layout.content.map((folder, at) => {
    const version = layout.framework === 'docusaurus' ? VERSION.exec(folder)?.[1] : undefined
    if (version !== undefined) return version === latest ? '/docs' : `/docs/${version}`
    const score = new Map<string, number>()
    for (const [href, times] of hrefs) {
      const parts = href.split('/').slice(1)
      for (let depth = 0; depth <= Math.min(2, parts.length); depth += 1) {
        const rest = `/${parts.slice(depth).join('/')}`
        if (rest === '/' || !routes[at]?.has(rest)) continue
        const mount = depth === 0 ? '' : `/${parts.slice(0, depth).join('/')}`
        score.set(mount, (score.get(mount) ?? 0) + times)
      }
    }
    const [best] = [...score].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)
    const mount = best?.[0] ?? (layout.framework === 'docusaurus' && folder !== '' ? `/${posix.basename(folder)}` : '')
    // The address without `next` belongs to a released version.
    return hasReleases(layout, folder, tree) && !mount.endsWith('/next') ? `${mount}/next` : mount
  })
}

/** True if a Docusaurus site serves released copies of a content folder in place of the folder itself. */
function hasReleases({ framework }: SiteLayout, folder: string, { paths, text }: SiteTree): boolean {
  if (framework !== 'docusaurus' || posix.basename(folder) !== 'docs') return false
  const configs = paths.filter((path) => /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/.test(path))
  return (
    paths.some((path) => /(?:^|\/)versioned_docs\//.test(path)) &&
    !configs.some((path) => /lastVersion:\s*['"]current['"]/.test(text(path) ?? ''))
  )
}

/** Lists the files that Mintlify's configuration inserts with `$ref`. */
function listParts({ paths, text }: SiteTree): ReadonlySet<string> {
  const configs = paths.filter((path) => /(?:^|\/)docs\.json$/.test(path))
  const names = (path: string) =>
    [...(text(path) ?? '').matchAll(/"\$ref"\s*:\s*"([^"#]+)/g)].map(([, name = '']) => name)
  return new Set(configs.flatMap((path) => names(path).map((name) => posix.join(posix.dirname(path), name))))
}

function listRoots(layout: SiteLayout, files: ReadonlySet<string>): string[] {
  const roots = new Set<string>(layout.content)
  const folders = new Set(layout.content.flatMap((folder) => listParents(folder)))
  for (const folder of folders) {
    for (const name of ['public', 'static', 'docs/public', 'website/static', '']) {
      const root = posix.join(folder, name).replace(/^\.$/, '').replace(/\/$/, '')
      if (root === '' || [...files].some((file) => file.startsWith(`${root}/`))) roots.add(root)
    }
  }
  return [...roots]
}

function listParents(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return [...parts.keys(), parts.length].map((length) => parts.slice(0, length).join('/')).reverse()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
