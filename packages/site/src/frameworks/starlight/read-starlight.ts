import type { ConfigFile, ConfigFiles } from '../../config/config-files.ts'
import {
  findProperty,
  findText,
  type Literal,
  type ObjectLiteral,
  toItems,
  toProperties,
} from '../../config/literal.ts'
import { toRepositoryPath } from '../../config/module-path.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'
import {
  addEntry,
  addGenerated,
  blur,
  buildDraft,
  buildSite,
  enterNode,
  evaluateConfig,
  type NavigationDraft,
  type ReadSite,
  toBase,
  toRedirects,
} from '../build-site.ts'
import { findPluginUrls } from '../find-plugin-urls.ts'
import type { ContentFolder } from '../site.ts'
import { toOpenUrls } from '../to-open-urls.ts'
import { toSlugPath } from './slug-path.ts'

interface Walk {
  readonly files: ConfigFiles
  readonly file: ConfigFile
  readonly draft: NavigationDraft
  /** The folder with all pages, and the folders of the languages. */
  readonly folders: readonly string[]
  /** Pages keyed by URL, without the language prefix. */
  readonly pages: ReadonlyMap<string, readonly string[]>
}

/**
 * Reads an Astro site with Starlight: the options of `starlight({…})` in `astro.config`. Its code
 * is evaluated statically, never run.
 */
export const readStarlight: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null || !file.text.includes('@astrojs/starlight')) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  const settings = await evaluateConfig(files, draft, file)
  const source = toRepositoryPath(findText(settings, 'srcDir') ?? 'src', root) ?? root
  const docs = joinPath(source, 'content/docs') ?? root
  const options = findStarlight(findProperty(settings, 'integrations'))
  const locales = findProperty(options, 'locales')
  const prefixes = toProperties(locales).flatMap(({ key }) => (key === 'root' ? [] : [key]))
  const main = findText(options, 'defaultLocale')
  const folders = [docs, ...prefixes.map((prefix) => `${docs}/${prefix}`)]
  const walk: Walk = { files, file, draft, folders, pages: toPages(files, docs, prefixes, main) }
  const sidebar = findProperty(options, 'sidebar')
  if (options === null) blur(draft)
  else if (sidebar !== null) readItems(walk, sidebar, [])
  else draft.mode = 'all'
  if (options?.kind === 'object' && !options.whole) blur(draft)
  const content: ContentFolder[] = [{ folder: docs, url: '/', kind: 'docs', language: null }]
  for (const prefix of prefixes) {
    const language = prefix === main ? null : prefix
    content.push({ folder: `${docs}/${prefix}`, url: `/${prefix}`, kind: 'docs', language })
  }
  const routes = joinPath(source, 'pages') ?? root
  content.push({ folder: routes, url: '/', kind: 'docs', language: null })
  const redirects = findProperty(settings, 'redirects')
  const plugins = findProperty(options, 'plugins')
  return buildSite(
    {
      root,
      config,
      content,
      base: toBase(findText(settings, 'base')),
      publicFolders: [toRepositoryPath(findText(settings, 'publicDir') ?? 'public', root) ?? root],
      languages: toLanguages(locales, main),
      addresses: options !== null && isKnown(plugins) ? 'known' : 'unknown',
      openUrls: [...toOpenUrls(files.below(routes), routes, /\.(?:astro|mdx?|html|[jt]s)$/), ...toPluginUrls(plugins)],
      languageFallback: prefixes.length > 0,
      rewritesLinks: ['remarkPlugins', 'rehypePlugins'].some((key) => findProperty(settings, 'markdown', key) !== null),
    },
    draft,
    toRedirects(files, file, redirects),
    redirects?.kind === 'object' ? [(redirects.file ?? file).path] : [],
    redirects === null || (redirects.kind === 'object' && redirects.whole),
  )
}

function toLanguages(locales: Literal | null, main: string | null): string[] {
  const names = toProperties(locales).map(({ key, value }) =>
    key === 'root' ? (findText(value, 'lang') ?? 'root') : key,
  )
  return main === null ? names : [...names.filter((name) => name === main), ...names.filter((name) => name !== main)]
}

/** Finds the Starlight integration and returns its options. */
function findStarlight(integrations: Literal | null): Literal | null {
  for (const item of toItems(integrations)) {
    if (item.kind === 'array') {
      const options = findStarlight(item)
      if (options !== null) return options
    }
    if (item.kind === 'call' && (item.from === '@astrojs/starlight' || item.callee === 'starlight')) {
      const [options] = item.args
      if (options?.kind === 'object') return options
    }
  }
  return null
}

/** A plugin whose code is in the repository adds pages only with this function. */
const ADDS_ROUTES = /\binjectRoute\b/

/** Returns false if a plugin in the repository may add pages at URLs that its code determines. */
function isKnown(plugins: Literal | null): boolean {
  if (plugins !== null && (plugins.kind !== 'array' || !plugins.whole)) return false
  return toItems(plugins).every(({ kind, file }) => kind === 'call' || !ADDS_ROUTES.test(file?.text ?? ''))
}

function toPluginUrls(plugins: Literal | null): string[] {
  return toItems(plugins).flatMap((item) =>
    item.kind === 'call' ? findPluginUrls((item.from ?? item.callee).replace('starlight-', ''), item.args) : [],
  )
}

/** Matches pages. Markdoc pages are not read, but entries may name them. */
const CONTENT = /\.(?:mdx?|markdown|mdoc)$/i

/** Maps each URL, without its language prefix, to its pages, the main-language page first. */
function toPages(
  files: ConfigFiles,
  docs: string,
  prefixes: readonly string[],
  main: string | null,
): Map<string, string[]> {
  const pages = new Map<string, string[]>()
  for (const path of files.below(docs)) {
    if (!CONTENT.test(path)) continue
    const slug = toSlugPath(path.slice(docs.length + 1).replace(/\.mdoc$/i, '.md'))
    const [first = '', ...rest] = slug.split('/')
    const names = prefixes.includes(first) ? [slug, rest.join('/')] : [slug]
    const isMain = first === main || !prefixes.includes(first)
    for (const name of names) {
      const known = pages.get(name) ?? []
      pages.set(name, isMain ? [path, ...known] : [...known, path])
    }
  }
  return pages
}

function readItems(walk: Walk, list: Literal, trail: readonly string[]): void {
  if (list.kind !== 'array' || !list.whole) blur(walk.draft)
  if (list.kind === 'array') for (const item of list.items) readItem(walk, item, trail)
}

function readItem(walk: Walk, literal: Literal, trail: readonly string[]): void {
  if (!enterNode(walk.draft)) return
  if (literal.kind === 'string') addPage(walk, literal, trail)
  else if (literal.kind === 'object') readObject(walk, literal, trail)
  else blur(walk.draft)
}

function readObject(walk: Walk, literal: ObjectLiteral, trail: readonly string[]): void {
  const { draft, folders } = walk
  if (!literal.whole) blur(draft)
  const label = findText(literal, 'label')
  const inner = label === null ? trail : [...trail, label]
  const page = findProperty(literal, 'slug') ?? findProperty(literal, 'link')
  const generated = findProperty(literal, 'autogenerate')
  const items = findProperty(literal, 'items')
  if (page !== null) {
    if (page.kind === 'string') addPage(walk, page, inner)
    else blur(draft)
  } else if (generated !== null) {
    const folder = findText(generated, 'directory')
    const paths = folder === null ? [] : folders.flatMap((docs) => joinPath(docs, folder) ?? [])
    if (paths.length === 0) blur(draft)
    for (const path of paths) addGenerated(draft, path)
  } else if (items !== null) readItems(walk, items, inner)
}

/**
 * Adds a page by slug. A page may define a different slug, so an entry without a file is invalid
 * only if no page has that slug.
 */
function addPage({ files, file, draft, pages }: Walk, literal: Literal, trail: readonly string[]): void {
  const written = literal.kind === 'string' ? literal.value : ''
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(written) || /\.(?!md)[a-z0-9]{2,5}$/i.test(written)) return
  const slug = written.replace(/[?#].*$/s, '').replace(/^\/+|(?<!\/)\/+$/g, '')
  addEntry(files, draft, { file, literal }, { trail, candidates: pages.get(slug) ?? [], exact: false })
}
