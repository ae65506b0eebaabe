import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems, toProperties } from '../../config/literal.ts'
import { unwrap } from '../../config/unwrap.ts'
import { joinPath, PAGE, toFolder } from '../../pages/paths.ts'
import {
  addEntry,
  addGenerated,
  blur,
  buildDraft,
  buildSite,
  type NavigationDraft,
  noteFile,
  type ReadSite,
  toBase,
  toRedirect,
} from '../build-site.ts'
import type { ContentFolder, SiteRedirect } from '../site.ts'
import { toSlugPath } from './slug-path.ts'

interface Walk {
  readonly files: ConfigFiles
  readonly draft: NavigationDraft
  readonly docs: string
  /** Pages keyed by URL, without the language prefix. */
  readonly pages: ReadonlyMap<string, readonly string[]>
}

/**
 * Reads an Astro site with Starlight: the literals in the `starlight({…})` call in `astro.config`.
 * Its code is parsed, never run.
 */
export const readStarlight: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null || !file.text.includes('@astrojs/starlight')) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  noteFile(draft, file)
  const at = await unwrap(files, { file, literal: file.literal ?? { kind: 'unknown', start: 0, end: 0 } })
  const docs = joinPath(root, 'src/content/docs') ?? root
  const options = await findStarlight(files, at)
  const locales = await find(files, options, 'locales')
  const prefixes = toProperties(locales?.literal).flatMap(({ key }) => (key === 'root' ? [] : [key]))
  const main = findText(options?.literal, 'defaultLocale')
  const walk: Walk = { files, draft, docs, pages: toPages(files, docs, prefixes, main) }
  if (options === null) blur(draft)
  const sidebar = await find(files, options, 'sidebar')
  if (options !== null && sidebar === null) draft.mode = 'all'
  if (options?.literal.kind === 'object' && !options.literal.whole) blur(draft)
  if (sidebar !== null) {
    if (sidebar.file !== file) noteFile(draft, sidebar.file)
    await readItems(walk, sidebar, [], 0)
  }
  const content: ContentFolder[] = [{ folder: docs, url: '/', kind: 'docs', language: null }]
  for (const prefix of prefixes) {
    const language = prefix === main ? null : prefix
    content.push({ folder: `${docs}/${prefix}`, url: `/${prefix}`, kind: 'docs', language })
  }
  content.push({ folder: joinPath(root, 'src/pages') ?? root, url: '/', kind: 'docs', language: null })
  const redirects: SiteRedirect[] = []
  const map = await find(files, at, 'redirects')
  for (const { key, keyStart, keyEnd, value } of toProperties(map?.literal)) {
    if (map === null) break
    const source: Literal = { kind: 'string', value: key, start: keyStart, end: keyEnd }
    const destination = value.kind === 'object' ? findProperty(value, 'destination') : value
    const redirect = toRedirect(files, map, source, destination)
    if (redirect !== null) redirects.push(redirect)
  }
  const routes = files.below(joinPath(root, 'src/pages') ?? root)
  const dynamic = routes.some((path) => path.includes('['))
  const plugins = findProperty(options?.literal, 'plugins')
  const public_ = findText(at.literal, 'publicDir')?.replace(/^\.\//, '') ?? 'public'
  const known = at.literal.kind === 'object' && options !== null && !dynamic && plugins === null
  return buildSite(
    {
      root,
      config,
      content,
      base: toBase(findText(at.literal, 'base')),
      publicFolders: [joinPath(root, public_) ?? root],
      languages: toLanguages(locales?.literal ?? null, main),
      addresses: known ? 'known' : 'unknown',
      languageFallback: prefixes.length > 0,
    },
    draft,
    redirects,
    map?.literal.kind === 'object' ? [map.file.path] : [],
    map === null || (map.literal.kind === 'object' && map.literal.whole),
  )
}

function toLanguages(locales: Literal | null, main: string | null): string[] {
  const names = toProperties(locales).map(({ key, value }) =>
    key === 'root' ? (findText(value, 'lang') ?? 'root') : key,
  )
  return main === null ? names : [...names.filter((name) => name === main), ...names.filter((name) => name !== main)]
}

async function find(files: ConfigFiles, at: Located | null, key: string): Promise<Located | null> {
  const literal = findProperty(at?.literal, key)
  return at === null || literal === null ? null : unwrap(files, { file: at.file, literal })
}

/** Finds the Starlight integration in `integrations` and returns its options. */
async function findStarlight(files: ConfigFiles, at: Located): Promise<Located | null> {
  const integrations = await find(files, at, 'integrations')
  for (const item of toItems(integrations?.literal)) {
    const [argument] = item.kind === 'call' && item.callee === 'starlight' ? item.args : []
    if (integrations && argument) return files.resolve({ file: integrations.file, literal: argument })
  }
  return null
}

/** Maps each URL, without its language prefix, to its pages, the main-language page first. */
function toPages(
  files: ConfigFiles,
  docs: string,
  prefixes: readonly string[],
  main: string | null,
): Map<string, string[]> {
  const pages = new Map<string, string[]>()
  for (const path of files.below(docs)) {
    if (!PAGE.test(path)) continue
    const slug = toSlugPath(path.slice(docs.length + 1))
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

async function readItems(walk: Walk, at: Located, trail: readonly string[], depth: number): Promise<void> {
  if (at.literal.kind !== 'array' || !at.literal.whole || depth > 50) blur(walk.draft)
  if (at.literal.kind !== 'array' || depth > 50) return
  for (const item of at.literal.items)
    await readItem(walk, await walk.files.resolve({ file: at.file, literal: item }), trail, depth)
}

async function readItem(walk: Walk, at: Located, trail: readonly string[], depth: number): Promise<void> {
  const { literal, file } = at
  if (literal.kind === 'string') return addPage(walk, at, trail)
  if (literal.kind !== 'object') return blur(walk.draft)
  if (!literal.whole) blur(walk.draft)
  const label = findText(literal, 'label')
  const inner = label === null ? trail : [...trail, label]
  const page = findProperty(literal, 'slug') ?? findProperty(literal, 'link')
  if (page !== null) return page.kind === 'string' ? addPage(walk, { file, literal: page }, inner) : blur(walk.draft)
  const generated = findProperty(literal, 'autogenerate')
  if (generated !== null) {
    const folder = findText(generated, 'directory')
    const path = folder === null ? null : joinPath(walk.docs, folder)
    if (path === null) return blur(walk.draft)
    return addGenerated(walk.draft, path)
  }
  const items = await find(walk.files, at, 'items')
  if (items !== null) await readItems(walk, items, inner, depth + 1)
}

/**
 * Adds a page by slug. A page may define a different slug, so an entry without a file is invalid
 * only if no page has that slug.
 */
function addPage(walk: Walk, at: Located, trail: readonly string[]): void {
  const written = at.literal.kind === 'string' ? at.literal.value : ''
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(written) || /\.(?!md)[a-z0-9]{2,5}$/i.test(written)) return
  const slug = written.replace(/[?#].*$/, '').replace(/^\/+|\/+$/g, '')
  addEntry(walk.files, walk.draft, at, { trail, candidates: walk.pages.get(slug) ?? [], exact: false })
}
