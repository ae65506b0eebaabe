import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems } from '../../config/literal.ts'
import { isBelow, joinPath, PAGE, toFolder } from '../../pages/paths.ts'
import {
  blur,
  buildDraft,
  buildSite,
  MAX_REDIRECTS,
  noteFile,
  type ReadSite,
  toBase,
  toRedirect,
} from '../build-site.ts'
import type { ContentFolder, SiteRedirect } from '../site.ts'
import { readSidebars } from './read-sidebars.ts'

interface Instance {
  /** Folder relative to the site's root. */
  readonly path: string
  readonly url: string
  readonly sidebar: Located | null
  readonly id: string
}

const DOCS = /^(?:@docusaurus\/)?(?:plugin-)?content-docs$|^docs$/
const BLOG = /^(?:@docusaurus\/)?(?:plugin-)?content-blog$|^blog$/
const REDIRECTS = /client-redirects$/

/**
 * Reads a Docusaurus site: the documentation and blog plugins that its configuration defines as
 * literals. Its code is parsed, never run.
 */
export const readDocusaurus: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  noteFile(draft, file)
  const at = await files.resolve({ file, literal: file.literal ?? { kind: 'unknown', start: 0, end: 0 } })
  const known = at.literal.kind === 'object'
  const plugins = await readPlugins(files, at)
  const folder = (path: string) => joinPath(root, path) ?? root

  const docs: Instance[] = []
  const opaque: ContentFolder[] = []
  let addresses: 'known' | 'unknown' = known && plugins.whole ? 'known' : 'unknown'
  for (const { name, options } of plugins.list) {
    if (DOCS.test(name)) {
      const sidebar = await findOption(files, options, 'sidebarPath')
      const path = findText(options?.literal, 'path') ?? 'docs'
      const url = findText(options?.literal, 'routeBasePath') ?? 'docs'
      docs.push({ path, url: toBase(url) || '/', sidebar, id: findText(options?.literal, 'id') ?? 'default' })
      if (options !== null && options.literal.kind !== 'object') addresses = 'unknown'
    } else if (BLOG.test(name)) {
      const path = findText(options?.literal, 'path') ?? 'blog'
      const url = toBase(findText(options?.literal, 'routeBasePath') ?? 'blog') || '/'
      opaque.push({ folder: folder(path), url, kind: 'opaque', language: null })
    } else if (
      !REDIRECTS.test(name) &&
      !/(?:gtag|analytics|sitemap|pwa|ideal-image|search|sass|tailwind|mermaid)/.test(name)
    ) {
      addresses = 'unknown'
    }
  }
  if (docs.length === 0 && !known) docs.push({ path: 'docs', url: '/docs', sidebar: null, id: 'default' })
  if (!known) blur(draft)

  const content: ContentFolder[] = []
  for (const instance of docs) {
    const path = folder(instance.path)
    content.push({ folder: path, url: instance.url, kind: 'docs', language: null })
    const versioned = instance.id === 'default' ? 'versioned_docs' : `${instance.id}_versioned_docs`
    if (files.below(folder(versioned)).length > 0) {
      content.push({ folder: folder(versioned), url: instance.url, kind: 'opaque', language: null })
      // The latest version is served at the URLs without a version.
      addresses = 'unknown'
    }
    await readSidebars(files, draft, { root, folder: path, instance: { ...instance, known } })
  }
  content.push(...opaque, { folder: folder('src/pages'), url: '/', kind: 'docs', language: null })
  const i18n = await findOption(files, at, 'i18n')
  const main = findText(i18n?.literal, 'defaultLocale')
  const locales = toItems(findProperty(i18n?.literal, 'locales')).flatMap((item) =>
    item.kind === 'string' ? [item.value] : [],
  )
  for (const locale of locales.filter((name) => name !== main))
    content.push(...toTranslations(files, root, locale, docs))

  const redirects: SiteRedirect[] = []
  const plugin = plugins.list.find(({ name }) => REDIRECTS.test(name))
  const list = plugin?.options ? await findOption(files, plugin.options, 'redirects') : null
  for (const item of toItems(list?.literal)) {
    if (list === null || redirects.length > MAX_REDIRECTS) break
    const from = findProperty(item, 'from')
    for (const source of from?.kind === 'array' ? from.items : [from]) {
      const redirect = toRedirect(files, list, source, findProperty(item, 'to'))
      if (redirect !== null) redirects.push(redirect)
    }
  }
  const created =
    findProperty(plugin?.options?.literal, 'createRedirects') ??
    findProperty(plugin?.options?.literal, 'fromExtensions')
  const statics = toItems(findProperty(at.literal, 'staticDirectories')).flatMap((item) =>
    item.kind === 'string' ? [item.value] : [],
  )
  return buildSite(
    {
      root,
      config,
      content,
      base: toBase(findText(at.literal, 'baseUrl')),
      publicFolders: (statics.length > 0 ? statics : ['static']).map(folder),
      languages: main === null ? locales : [main, ...locales.filter((name) => name !== main)],
      addresses,
      languageFallback: locales.length > 1,
    },
    draft,
    redirects,
    list?.literal.kind === 'array' ? [list.file.path] : [],
    created === null && (list === null || (list.literal.kind === 'array' && list.literal.whole)),
  )
}

async function findOption(files: ConfigFiles, at: Located | null, key: string): Promise<Located | null> {
  const literal = findProperty(at?.literal, key)
  return at === null || literal === null ? null : files.resolve({ file: at.file, literal })
}

interface Plugins {
  readonly list: { name: string; options: Located | null }[]
  /** True if all plugins are literals. */
  whole: boolean
}

/** Reads the plugins by name, including those in the classic preset. */
async function readPlugins(files: ConfigFiles, at: Located): Promise<Plugins> {
  const found: Plugins = { list: [], whole: at.literal.kind === 'object' && at.literal.whole }
  for (const key of ['presets', 'plugins']) {
    const list = await findOption(files, at, key)
    if (list === null) continue
    if (list.literal.kind !== 'array' || !list.literal.whole) found.whole = false
    for (const item of toItems(list.literal)) {
      const [first, second] = item.kind === 'array' ? item.items : [item]
      const name = toPluginName(first)
      if (name === null) {
        found.whole = false
        continue
      }
      const options = second === undefined ? null : await files.resolve({ file: list.file, literal: second })
      if (!/classic$/.test(name)) found.list.push({ name, options })
      else await readPreset(files, options, found)
    }
  }
  return found
}

async function readPreset(files: ConfigFiles, options: Located | null, found: Plugins): Promise<void> {
  if (options !== null && options.literal.kind !== 'object') found.whole = false
  for (const name of ['docs', 'blog']) {
    const given = await findOption(files, options, name)
    if (given?.literal.kind === 'scalar' && given.literal.value === false) continue
    found.list.push({ name, options: given })
  }
}

function toPluginName(literal: Literal | undefined): string | null {
  if (literal?.kind === 'string') return literal.value
  if (literal?.kind !== 'call' || !literal.callee.startsWith('require')) return null
  const wanted = literal.args[0]
  return wanted?.kind === 'string' ? wanted.value : null
}

/** Returns the translation folders. Their URLs are the original URLs with a language prefix. */
function toTranslations(files: ConfigFiles, root: string, locale: string, docs: readonly Instance[]): ContentFolder[] {
  const base = joinPath(root, `i18n/${locale}`) ?? root
  const inside = files.below(base).filter((path) => PAGE.test(path))
  return docs.flatMap(({ id, url }) => {
    const plugin = id === 'default' ? 'docusaurus-plugin-content-docs' : `docusaurus-plugin-content-docs-${id}`
    const folder = `${base}/${plugin}/current`
    if (!inside.some((path) => isBelow(path, folder))) return []
    return [{ folder, url: `/${locale}${url === '/' ? '' : url}`, kind: 'docs' as const, language: locale }]
  })
}
