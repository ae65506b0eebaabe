import type { ConfigFile, ConfigFiles } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems, toProperties } from '../../config/literal.ts'
import { toAddress, toFolder, toName } from '../../pages/paths.ts'
import {
  addEntry,
  blur,
  buildDraft,
  buildSite,
  enterNode,
  evaluateConfig,
  type NavigationDraft,
  type ReadSite,
  toBase,
  toRedirect,
  toTexts,
} from '../build-site.ts'
import type { SiteRedirect } from '../site.ts'
import { toOpenUrls } from '../to-open-urls.ts'
import { findContents, META } from './find-contents.ts'
import { findRoutes, type Routes } from './find-routes.ts'

const MAX_METAS = 500
/** Functions of `next.config` that change URLs. */
const REWRITES = /\brewrites\b/

interface Walk {
  readonly files: ConfigFiles
  readonly draft: NavigationDraft
  readonly routes: Routes
  readonly file: ConfigFile
}

/**
 * Reads a Nextra site. `_meta` files next to the pages, or one `_meta.global` file, define their
 * order and titles. Pages without an entry are also shown. Code is evaluated statically, never run.
 */
export const readNextra: ReadSite = async (files, first) => {
  const draft = buildDraft(first)
  draft.mode = 'all'
  const { root, bases, content, codes } = findContents(files, first)
  // Other tools also have files with this name.
  const isTheme = (path: string) => toFolder(path) === root && /^theme\.config\.[cm]?[jt]sx?$/.test(toName(path))
  if (toName(first) === 'meta.json' && !files.paths.some(isTheme)) return null
  const routes = findRoutes(files, content)
  for (const path of bases.flatMap((base) => files.below(base).filter((file) => META.test(file))).slice(0, MAX_METAS)) {
    const file = await files.open(path)
    if (file === null) continue
    const meta = await evaluateConfig(files, draft, file)
    const url = routes.toUrl(`${toFolder(path)}/index.mdx`.replace(/^\//, ''))
    readMeta({ files, draft, routes, file }, meta, url, path.includes('_meta.global.'))
  }
  const config = files.paths.find((path) => toFolder(path) === root && /^next\.config\.[cm]?[jt]s$/.test(toName(path)))
  const next = config === undefined ? null : await files.open(config)
  const settings = next === null ? null : (await files.evaluate(next)).literal
  const redirects = next === null ? null : (await files.evaluate(next, ['redirects'])).literal
  const languages = [...new Set([...codes, ...toTexts(findProperty(settings, 'i18n', 'locales'))])]
  return buildSite(
    {
      root,
      config: first,
      content,
      languages,
      base: toBase(findText(settings, 'basePath')),
      publicFolders: [root === '' ? 'public' : `${root}/public`],
      addresses: REWRITES.test(next?.text ?? '') ? 'unknown' : 'known',
      openUrls: bases.flatMap((base) => {
        const route = /(?:^|\/)app$/.test(base) ? /(?:^|\/)(?:page|route)\.(?:[jt]sx?|mdx?)$/ : /\.(?:[jt]sx?|mdx?)$/
        return toOpenUrls(files.below(base), base, route)
      }),
    },
    draft,
    next === null ? [] : readRedirects(files, next, redirects),
    [],
    redirects?.kind === 'array' ? redirects.whole : findProperty(settings, 'redirects') === null,
  )
}

function readRedirects(files: ConfigFiles, file: ConfigFile, list: Literal | null): SiteRedirect[] {
  return toItems(list).flatMap((literal) => {
    const [source, destination] = [findProperty(literal, 'source'), findProperty(literal, 'destination')]
    return toRedirect(files, { file, literal }, source, destination) ?? []
  })
}

function readMeta(walk: Walk, meta: Literal, folder: string, isGlobal: boolean): void {
  const { files, draft, routes } = walk
  if (meta.kind !== 'object' || !meta.whole) blur(draft)
  for (const { key, keyStart, keyEnd, value, file = walk.file } of toProperties(meta)) {
    if (!enterNode(draft)) return
    const type = findText(value, 'type')
    const items = findProperty(value, 'items')
    const isPage = type === null || type === 'page' || type === 'doc'
    // Menus and separators are not pages.
    if (key === '*' || key.startsWith('--') || !isPage || findProperty(value, 'href') !== null) continue
    const url = key === 'index' ? folder : toAddress(`${folder}/${key}`)
    const label = value.kind === 'string' ? value.value : findText(value, 'title')
    const literal: Literal = { kind: 'string', value: key, start: keyStart, end: keyEnd, file }
    const candidates = [...new Set([...routes.find(url), ...routes.toUsual(url)])]
    // Entries may also name a folder of pages or a route that is implemented in code.
    const exact = !routes.has(url)
    addEntry(files, draft, { file: walk.file, literal }, { trail: label === null ? [] : [label], candidates, exact })
    if (isGlobal && items !== null) readMeta(walk, items, url, isGlobal)
  }
}
