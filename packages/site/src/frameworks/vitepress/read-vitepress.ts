import type { ConfigFile, ConfigFiles } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toProperties } from '../../config/literal.ts'
import { joinPath, PAGE, toInner } from '../../pages/paths.ts'
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
  toPageCandidates,
  toTexts,
} from '../build-site.ts'
import type { ContentFolder, Rewrite } from '../site.ts'
import { toOpenUrls } from '../to-open-urls.ts'
import { readRewrites, rewritePath } from './rewrite-path.ts'

/** Configuration of a folder of pages, outside `.vitepress`. */
const ADDITIONAL = /^(?!(?:.*\/)?(?:\.vitepress|node_modules)\/).*(?:^|\/)config\.m?[jt]s$/
const MAX_ADDITIONAL = 50

interface Walk {
  readonly files: ConfigFiles
  readonly file: ConfigFile
  readonly draft: NavigationDraft
  /** Folder that contains the pages. */
  readonly source: string
  /** Original paths of rewritten pages, keyed by the new path. Both are relative to `source`. */
  readonly originals: ReadonlyMap<string, string>
  sidebars: number
}

/**
 * Reads a VitePress site: the sidebars and navigation bars that `.vitepress/config` defines. Its
 * code is evaluated statically, never run.
 */
export const readVitepress: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = config.slice(0, Math.max(0, config.indexOf('.vitepress') - 1))
  const draft = buildDraft(config)
  const settings = await evaluateConfig(files, draft, file)
  const isWhole = settings.kind === 'object' && settings.whole
  const source = joinPath(root, findText(settings, 'srcDir') ?? '') ?? root
  const locales = findProperty(settings, 'locales')
  const codes = toProperties(locales).flatMap(({ key }) => (key === 'root' ? [] : [key]))
  const pages = files.below(source)
  const rewrites = readRewrites(findProperty(settings, 'rewrites'))
  const originals = findOriginals(rewrites ?? [], pages, source)
  const walk: Walk = { files, file, draft, source, originals, sidebars: 0 }
  if (!isWhole) blur(draft)
  const excluded = toTexts(findProperty(settings, 'srcExclude')).map((glob) => `/${glob}`)
  draft.omitted.push(...excluded)
  readTheme(walk, findProperty(settings, 'themeConfig'))
  const languages: string[] = []
  if (locales !== null && locales.kind !== 'object') blur(draft)
  for (const { key, value } of toProperties(locales)) {
    languages.push(key === 'root' ? (findText(value, 'lang') ?? 'root') : key)
    if (value.kind !== 'object') blur(draft)
    readTheme(walk, findProperty(value, 'themeConfig'))
  }
  for (const path of pages.filter((page) => ADDITIONAL.test(page)).slice(0, MAX_ADDITIONAL)) {
    const additional = await files.open(path)
    if (!additional?.text.includes('defineAdditionalConfig')) continue
    readTheme(walk, findProperty(await evaluateConfig(files, draft, additional), 'themeConfig'))
  }
  if (walk.sidebars === 0 && draft.mode !== 'unknown') draft.mode = 'all'
  const folders = ['', ...codes].map((code): ContentFolder => {
    const folder = joinPath(source, code) ?? source
    const url = code === '' ? '/' : `/${code}`
    const language = code === '' ? null : code
    return { folder, url, kind: 'docs', language, ...(rewrites?.length ? { rewrites } : {}) }
  })
  return buildSite(
    {
      root,
      config,
      content: folders,
      ignored: [{ folder: source, patterns: excluded }],
      base: toBase(findText(settings, 'base')),
      publicFolders: [joinPath(source, 'public') ?? source],
      languages,
      addresses: isWhole && rewrites !== null ? 'known' : 'unknown',
      openUrls: toOpenUrls(pages, source, /\.md$/),
      rewritesLinks:
        !isWhole ||
        [['ignoreDeadLinks'], ['markdown', 'config']].some((path) => findProperty(settings, ...path) !== null),
    },
    draft,
  )
}

function findOriginals(rewrites: readonly Rewrite[], pages: readonly string[], source: string): Map<string, string> {
  const inner =
    rewrites.length === 0 ? [] : pages.filter((page) => PAGE.test(page)).map((page) => toInner(page, source))
  return new Map(inner.map((path) => [rewritePath(rewrites, path), path]))
}

function readTheme(walk: Walk, theme: Literal | null): void {
  if (theme === null) return
  if (theme.kind !== 'object' || !theme.whole) blur(walk.draft)
  const nav = findProperty(theme, 'nav')
  const { mode } = walk.draft
  if (nav !== null) readItems(walk, nav, '', [])
  // Only the sidebar lists the pages.
  walk.draft.mode = mode
  const sidebar = findProperty(theme, 'sidebar')
  if (sidebar === null) return
  walk.sidebars += 1
  if (sidebar.kind !== 'object') readItems(walk, sidebar, '', [])
  else {
    if (!sidebar.whole) blur(walk.draft)
    for (const { value } of sidebar.properties) {
      if (value.kind === 'array') readItems(walk, value, '', [])
      else readItem(walk, value, '', [])
    }
  }
}

function readItems(walk: Walk, list: Literal, base: string, trail: readonly string[]): void {
  if (list.kind !== 'array' || !list.whole) blur(walk.draft)
  if (list.kind !== 'array') return
  for (const item of list.items) readItem(walk, item, base, trail)
}

function readItem(walk: Walk, item: Literal, outer: string, trail: readonly string[]): void {
  if (!enterNode(walk.draft)) return
  if (item.kind !== 'object' || !item.whole) blur(walk.draft)
  const base = findText(item, 'base') ?? outer
  const link = findProperty(item, 'link')
  const text = findText(item, 'text')
  const inner = text === null ? trail : [...trail, text]
  if (link !== null) addLink(walk, link, base, inner)
  const items = findProperty(item, 'items')
  if (items !== null) readItems(walk, items, base, inner)
}

function addLink(
  { files, file, draft, source, originals }: Walk,
  literal: Literal,
  base: string,
  trail: readonly string[],
) {
  if (literal.kind !== 'string') {
    blur(draft)
    return
  }
  const path = `${base}${literal.value}`.replace(/[?#].*$/s, '')
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return
  const plain = /\/$/.test(path) ? `${path}index` : path.replace(/\.html$/, '')
  const candidates = toPageCandidates(source, plain).map((candidate) => {
    const original = originals.get(toInner(candidate, source))
    return original === undefined ? candidate : (joinPath(source, original) ?? candidate)
  })
  // Entries may also name files in the public folder.
  const exact = !/\.(?!html$|md$)[a-z0-9]{2,5}$/i.test(path)
  addEntry(files, draft, { file, literal }, { trail, candidates, exact })
}
