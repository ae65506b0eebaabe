import type { ConfigFile, ConfigFiles } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems } from '../../config/literal.ts'
import { toAbsolute } from '../../config/module-path.ts'
import { isBelow, joinPath, toFolder } from '../../pages/paths.ts'
import {
  addGenerated,
  blur,
  buildDraft,
  buildSite,
  evaluateConfig,
  MAX_REDIRECTS,
  type NavigationDraft,
  type ReadSite,
  toBase,
  toRedirect,
  toTexts,
} from '../build-site.ts'
import type { ContentFolder, SiteRedirect } from '../site.ts'
import { toOpenUrls } from '../to-open-urls.ts'
import { type Plugin, readPlugins, toPath, toPluginUrls } from './read-plugins.ts'
import { readSidebars } from './read-sidebars.ts'
import { findTranslation, readVersions, type Version } from './read-versions.ts'

const DOCS = /^(?:@docusaurus\/)?(?:plugin-)?content-docs$|^docs$/
const BLOG = /^(?:@docusaurus\/)?(?:plugin-)?content-blog$|^blog$/
const REDIRECTS = /client-redirects$/
const DEFAULT_SIDEBARS = ['sidebars.js', 'sidebars.ts', 'sidebars.json', 'sidebars.cjs', 'sidebars.mjs']

interface Reading {
  readonly files: ConfigFiles
  readonly draft: NavigationDraft
  readonly config: string
  readonly root: string
  readonly isRead: boolean
  readonly locales: readonly string[]
  readonly urls: string[]
  isKnown: boolean
}

/**
 * Reads a Docusaurus site: the documentation and blog plugins that its configuration defines. Its
 * code is evaluated statically, never run.
 */
export const readDocusaurus: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  const settings = await evaluateConfig(files, draft, file)
  const isRead = settings.kind === 'object'
  const plugins = await readPlugins(files, settings, root)
  const main = findText(settings, 'i18n', 'defaultLocale')
  const locales = toTexts(findProperty(settings, 'i18n', 'locales'))
  const others = locales.filter((name) => name !== main)
  const { isKnown } = plugins
  const reading: Reading = { files, draft, config, root, isRead, locales: others, urls: [], isKnown }
  const docs = plugins.list.filter(({ name }) => DOCS.test(name))
  if (docs.length === 0 && !isRead) docs.push({ name: 'docs', options: null })
  if (!isRead) blur(draft)

  const content: ContentFolder[] = []
  for (const plugin of docs) content.push(...(await readDocs(reading, plugin)))
  content.push(...plugins.list.filter(({ name }) => BLOG.test(name)).map(({ options }) => readBlog(root, options)))
  // The sidebars define the order of pages, not the main configuration.
  draft.files.push(...draft.files.splice(0, 1))
  const pages = joinPath(root, 'src/pages') ?? root
  content.push({ folder: pages, url: '/', kind: 'docs', language: null })
  const isOther = ({ name }: Plugin) => !DOCS.test(name) && !BLOG.test(name) && !REDIRECTS.test(name)
  const statics = toTexts(findProperty(settings, 'staticDirectories'))
  const redirects = plugins.list.find(({ name }) => REDIRECTS.test(name))?.options ?? null
  const list = findProperty(redirects, 'redirects')
  const isComplete = list === null || (list.kind === 'array' && list.whole)
  const created = findProperty(redirects, 'createRedirects') ?? findProperty(redirects, 'fromExtensions')
  return buildSite(
    {
      root,
      config,
      content: [...content, ...findUnlisted(files, root, content)],
      base: toBase(findText(settings, 'baseUrl')),
      publicFolders: (statics.length > 0 ? statics : ['static']).map((path) => joinPath(root, path) ?? root),
      languages: main === null ? locales : [main, ...others],
      addresses: reading.isKnown ? 'known' : 'unknown',
      openUrls: [
        ...toPluginUrls({ ...plugins, list: plugins.list.filter(isOther) }),
        ...toOpenUrls(files.below(pages), pages, /\.[jt]sx?$/),
        ...reading.urls,
      ],
      languageFallback: locales.length > 1,
    },
    draft,
    readRedirects(files, file, list),
    list?.kind === 'array' ? [(list.file ?? file).path] : [],
    created === null && isComplete,
  )
}

/** Returns the folders of versions that `versions.json` does not list yet. They are not built. */
function findUnlisted(files: ConfigFiles, root: string, content: readonly ContentFolder[]): ContentFolder[] {
  const folders = new Map(
    files.below(root).flatMap((path) => {
      const [folder, name] = /^.*?(?:^|\/)(?:\w+_)?versioned_docs\/version-([^/]+)(?=\/)/.exec(path) ?? []
      return folder === undefined || name === undefined ? [] : [[folder, name] as const]
    }),
  )
  const isListed = (version: string) => content.some(({ folder }) => folder === version || isBelow(version, folder))
  return [...folders].flatMap(([folder, name]) =>
    isListed(folder) ? [] : [{ folder, url: `/docs/${name}`, kind: 'opaque' as const, language: null }],
  )
}

function readBlog(root: string, options: Literal | null): ContentFolder {
  const folder = toPath(findProperty(options, 'path'), root) ?? joinPath(root, 'blog') ?? root
  const url = toBase(findText(options, 'routeBasePath') ?? 'blog') || '/'
  return { folder, url, kind: 'opaque', language: null }
}

/** Reads a documentation plugin and its navigation. Returns the folders of its versions. */
async function readDocs(reading: Reading, { options }: Plugin): Promise<ContentFolder[]> {
  const { files, draft, root, locales } = reading
  const folder = toPath(findProperty(options, 'path'), root) ?? joinPath(root, 'docs') ?? root
  const url = toBase(findText(options, 'routeBasePath') ?? 'docs') || '/'
  const place = { root, id: findText(options, 'id') ?? 'default', folder, url, options }
  if (options !== null && options.kind !== 'object') reading.isKnown = false
  const numbers = findProperty(options, 'numberPrefixParser')
  const keepsNumbers = numbers?.kind === 'scalar' && numbers.value === false
  draft.omitted.push(...toTexts(findProperty(options, 'exclude')).map((glob) => `/${glob}`))
  const versions = await readVersions(files, place)
  const content: ContentFolder[] = []
  if (versions === null) {
    reading.isKnown = false
    const prefix = place.id === 'default' ? '' : `${place.id}_`
    content.push({ folder: joinPath(root, `${prefix}versioned_docs`) ?? root, url, kind: 'opaque', language: null })
  }
  for (const version of versions ?? [{ name: 'current', folder, url, sidebars: null }]) {
    content.push({ folder: version.folder, url: version.url, kind: 'docs', language: null, keepsNumbers })
    for (const locale of locales) {
      const translation = findTranslation(files, place, locale, version.name)
      const address = `/${locale}${version.url === '/' ? '' : version.url}`
      if (translation !== null)
        content.push({ folder: translation, url: address, kind: 'docs', language: locale, keepsNumbers })
    }
    const path = findSidebars(reading, version, options)
    if (path === 'unknown') blur(draft)
    else if (path === null) addGenerated(draft, version.folder)
    else {
      const prefix = version.name === 'current' ? '' : `version-${version.name}/`
      const urls = await readSidebars(files, draft, { path, folder: version.folder, keepsNumbers, prefix })
      reading.urls.push(...urls.map((slug) => `${version.url.slice(1)}/${slug}`.replace(/^\//, '')))
    }
  }
  return content
}

/** Returns the file with the sidebars of a version, or null if they are generated. */
function findSidebars(reading: Reading, version: Version, options: Literal | null): string | 'unknown' | null {
  const { files, config, root, isRead } = reading
  if (version.sidebars !== null) return files.has(version.sidebars) ? version.sidebars : null
  const given = findProperty(options, 'sidebarPath')
  if (given === null) {
    // The absence of a sidebar is certain only if the configuration was read.
    const usual = DEFAULT_SIDEBARS.map((name) => joinPath(root, name) ?? name).find(files.has)
    if (isRead) return options?.kind === 'object' && !options.whole ? 'unknown' : null
    return usual ?? 'unknown'
  }
  if (given.kind === 'scalar') return null
  const path = toPath(given, root)
  return (path === null ? null : files.findModule(config, toAbsolute(path))) ?? 'unknown'
}

function readRedirects(files: ConfigFiles, file: ConfigFile, list: Literal | null): SiteRedirect[] {
  const redirects: SiteRedirect[] = []
  for (const item of toItems(list)) {
    if (redirects.length > MAX_REDIRECTS) break
    const from = findProperty(item, 'from')
    for (const source of from?.kind === 'array' ? from.items : [from]) {
      const redirect = toRedirect(files, { file, literal: item }, source, findProperty(item, 'to'))
      if (redirect !== null) redirects.push(redirect)
    }
  }
  return redirects
}
