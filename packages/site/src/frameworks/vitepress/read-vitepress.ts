import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toProperties } from '../../config/literal.ts'
import { unwrap } from '../../config/unwrap.ts'
import { joinPath } from '../../pages/paths.ts'
import {
  addEntry,
  blur,
  buildDraft,
  buildSite,
  type NavigationDraft,
  noteFile,
  type ReadSite,
  toBase,
  toPageCandidates,
} from '../build-site.ts'
import type { ContentFolder } from '../site.ts'

interface Walk {
  readonly files: ConfigFiles
  readonly draft: NavigationDraft
  /** Folder that contains the pages. */
  readonly source: string
  sidebars: number
}

/**
 * Reads a VitePress site: sidebars and navigation bars that `.vitepress/config` defines as
 * literals. Its code is parsed, never run.
 */
export const readVitepress: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = config.slice(0, Math.max(0, config.indexOf('.vitepress') - 1))
  const draft = buildDraft(config)
  noteFile(draft, file)
  const at = await unwrap(files, { file, literal: file.literal ?? { kind: 'unknown', start: 0, end: 0 } })
  const known = at.literal.kind === 'object' && at.literal.whole
  const source = joinPath(root, findText(at.literal, 'srcDir') ?? '') ?? root
  const walk: Walk = { files, draft, source, sidebars: 0 }
  if (!known) blur(draft)
  await readTheme(walk, await find(walk, at, 'themeConfig'))
  const content: ContentFolder[] = [{ folder: source, url: '/', kind: 'docs', language: null }]
  const languages: string[] = []
  const locales = await find(walk, at, 'locales')
  if (locales !== null && locales.literal.kind !== 'object') blur(draft)
  for (const { key, value } of toProperties(locales?.literal)) {
    const locale = await unwrap(files, { file: locales?.file ?? file, literal: value })
    languages.push(key === 'root' ? (findText(locale.literal, 'lang') ?? 'root') : key)
    if (locale.literal.kind !== 'object') blur(draft)
    await readTheme(walk, await find(walk, locale, 'themeConfig'))
    const folder = joinPath(source, key)
    if (key !== 'root' && folder !== null) content.push({ folder, url: `/${key}`, kind: 'docs', language: key })
  }
  if (walk.sidebars === 0 && draft.mode !== 'unknown') draft.mode = 'all'
  const rewritten = findProperty(at.literal, 'rewrites') !== null
  // Dynamic routes generate pages from a template.
  const dynamic = files.below(source).some((path) => /\[[^\]/]+\]\.md$/.test(path))
  return buildSite(
    {
      root,
      config,
      content,
      base: toBase(findText(at.literal, 'base')),
      publicFolders: [joinPath(source, 'public') ?? source],
      languages,
      addresses: known && !rewritten && !dynamic ? 'known' : 'unknown',
    },
    draft,
  )
}

async function find(walk: Walk, at: Located, key: string): Promise<Located | null> {
  const literal = findProperty(at.literal, key)
  if (literal === null) return null
  const found = await unwrap(walk.files, { file: at.file, literal })
  if (found.file !== at.file) noteFile(walk.draft, found.file)
  return found
}

async function readTheme(walk: Walk, theme: Located | null): Promise<void> {
  if (theme === null) return
  if (theme.literal.kind !== 'object') return blur(walk.draft)
  if (!theme.literal.whole) blur(walk.draft)
  const nav = await find(walk, theme, 'nav')
  if (nav !== null) await readItems(walk, nav, '', [], 0)
  const sidebar = await find(walk, theme, 'sidebar')
  if (sidebar === null) return
  walk.sidebars += 1
  if (sidebar.literal.kind === 'array') return readItems(walk, sidebar, '', [], 0)
  if (sidebar.literal.kind !== 'object' || !sidebar.literal.whole) blur(walk.draft)
  for (const { value } of toProperties(sidebar.literal)) {
    const part = await unwrap(walk.files, { file: sidebar.file, literal: value })
    if (part.file !== sidebar.file) noteFile(walk.draft, part.file)
    if (part.literal.kind === 'array') await readItems(walk, part, '', [], 0)
    else if (part.literal.kind === 'object') await readItem(walk, part, '', [], 0)
    else blur(walk.draft)
  }
}

async function readItems(
  walk: Walk,
  at: Located,
  base: string,
  trail: readonly string[],
  depth: number,
): Promise<void> {
  if (at.literal.kind !== 'array' || !at.literal.whole || depth > 50) blur(walk.draft)
  if (at.literal.kind !== 'array' || depth > 50) return
  for (const item of at.literal.items) {
    const resolved = await unwrap(walk.files, { file: at.file, literal: item })
    if (resolved.literal.kind === 'object') await readItem(walk, resolved, base, trail, depth)
    else blur(walk.draft)
  }
}

async function readItem(
  walk: Walk,
  at: Located,
  outer: string,
  trail: readonly string[],
  depth: number,
): Promise<void> {
  if (at.literal.kind === 'object' && !at.literal.whole) blur(walk.draft)
  const base = findText(at.literal, 'base') ?? outer
  const link = findProperty(at.literal, 'link')
  const text = findText(at.literal, 'text')
  const inner = text === null ? trail : [...trail, text]
  if (link !== null) addLink(walk, { file: at.file, literal: link }, base, inner)
  const items = await find(walk, at, 'items')
  if (items !== null) await readItems(walk, items, base, inner, depth + 1)
}

function addLink(walk: Walk, at: Located, base: string, trail: readonly string[]): void {
  const literal: Literal = at.literal
  if (literal.kind !== 'string') {
    blur(walk.draft)
    return
  }
  const path = `${base}${literal.value}`.replace(/[?#].*$/, '')
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return
  const folder = /\/$/.test(path)
  const candidates = folder
    ? toPageCandidates(walk.source, `${path}index`)
    : toPageCandidates(walk.source, path.replace(/\.html$/, ''))
  // Entries may also name files in the public folder.
  const exact = !/\.(?!html$|md$)[a-z0-9]{2,5}$/i.test(path)
  addEntry(walk.files, walk.draft, at, { trail, candidates, exact })
}
