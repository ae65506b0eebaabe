import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems, toProperties } from '../../config/literal.ts'
import { joinPath, PAGE, toFolder } from '../../pages/paths.ts'
import {
  addEntry,
  blur,
  buildDraft,
  buildSite,
  type NavigationDraft,
  noteFile,
  type ReadSite,
  toBase,
} from '../build-site.ts'
import type { SiteRedirect } from '../site.ts'

/** Plugins that generate pages or the navigation. */
const NAVIGATION_PLUGINS =
  /^(?:awesome-nav|awesome-pages|literate-nav|gen-files|monorepo|multirepo|mkdocs-simple|api-autonav|exclude|same-dir|tags-index)$/
const PAGE_PLUGINS =
  /^(?:gen-files|monorepo|multirepo|api-autonav|literate-nav|same-dir|mkdocs-simple|material\/blog|blog|i18n)$/

/**
 * Reads `mkdocs.yml`: `nav`, `docs_dir`, `not_in_nav`, and the redirects plugin. MkDocs-specific
 * tags are read as `unknown`.
 */
export const readMkdocs: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  noteFile(draft, file)
  const parent = await findParent(files, { file, literal: file.literal ?? { kind: 'unknown', start: 0, end: 0 } })
  const find = (...path: string[]): Located | null => {
    const own = findProperty(file.literal, ...path)
    if (own !== null) return { file, literal: own }
    const inherited = findProperty(parent?.literal, ...path)
    return inherited === null || parent === null ? null : { file: parent.file, literal: inherited }
  }
  const docsDir = find('docs_dir')?.literal
  const docs = joinPath(root, docsDir?.kind === 'string' ? docsDir.value : 'docs') ?? root
  const plugins = readPlugins(find('plugins'))
  const nav = find('nav')
  if (file.literal === null || plugins.some(({ name }) => NAVIGATION_PLUGINS.test(name))) blur(draft)
  else if (nav === null || (nav.literal.kind === 'scalar' && nav.literal.value === null)) draft.mode = 'all'
  if (nav !== null) {
    if (nav.file !== file) noteFile(draft, nav.file)
    readNav(files, draft, nav.file, nav.literal, docs, [], 0)
  }
  for (const key of ['not_in_nav', 'exclude_docs', 'draft_docs']) {
    const value = find(key)?.literal
    if (value?.kind === 'string')
      draft.omitted.push(
        ...value.value
          .split('\n')
          .map((row) => row.trim())
          .filter(Boolean),
      )
  }

  const redirects: SiteRedirect[] = []
  const plugin = plugins.find(({ name }) => name === 'redirects')
  const maps = findProperty(plugin?.options, 'redirect_maps')
  const at = find('plugins')
  if (at !== null) {
    for (const { key, keyStart, value } of toProperties(maps)) {
      if (value.kind !== 'string') continue
      const line = files.toLine(at.file, keyStart)
      redirects.push({ file: at.file.path, line, source: key, destination: value.value, pattern: false })
    }
  }
  const site = find('site_url')?.literal
  const languages = toItems(findProperty(plugins.find(({ name }) => name === 'i18n')?.options, 'languages')).flatMap(
    (item) => findText(item, 'locale') ?? [],
  )
  const generates = plugins.some(({ name }) => PAGE_PLUGINS.test(name))
  return buildSite(
    {
      root,
      config,
      content: [{ folder: docs, url: '/', kind: 'docs', language: null }],
      base: toBase(site?.kind === 'string' ? site.value : null),
      publicFolders: [docs],
      languages,
      addresses: file.literal === null || generates ? 'unknown' : 'known',
    },
    draft,
    redirects,
    plugin === undefined || at === null ? [] : [at.file.path],
    plugin === undefined || maps === null || maps.kind === 'object',
  )
}

/** Follows `INHERIT: ../base.yml`, one level deep. */
async function findParent(files: ConfigFiles, at: Located): Promise<Located | null> {
  const inherited = findText(at.literal, 'INHERIT')
  const path = inherited === null ? null : joinPath(toFolder(at.file.path), inherited)
  const file = path === null ? null : await files.open(path)
  return file?.literal ? { file, literal: file.literal } : null
}

function readPlugins(at: Located | null): { name: string; options: Literal | null }[] {
  if (at?.literal.kind === 'object')
    return at.literal.properties.map(({ key, value }) => ({ name: key, options: value }))
  return toItems(at?.literal).flatMap((item): { name: string; options: Literal | null }[] => {
    if (item.kind === 'string') return [{ name: item.value, options: null }]
    return toProperties(item).map(({ key, value }) => ({ name: key, options: value }))
  })
}

function readNav(
  files: ConfigFiles,
  draft: NavigationDraft,
  file: Located['file'],
  literal: Literal,
  docs: string,
  trail: readonly string[],
  depth: number,
): void {
  if (depth > 50) {
    blur(draft)
    return
  }
  if (literal.kind === 'array') {
    for (const item of literal.items) readNav(files, draft, file, item, docs, trail, depth + 1)
  } else if (literal.kind === 'object') {
    for (const { key, value } of literal.properties) {
      if (value.kind === 'string') addPage(files, draft, { file, literal: value }, docs, [...trail, key])
      else readNav(files, draft, file, value, docs, [...trail, key], depth + 1)
    }
  } else if (literal.kind === 'string') addPage(files, draft, { file, literal }, docs, trail)
  else if (literal.kind === 'unknown') blur(draft)
}

function addPage(
  files: ConfigFiles,
  draft: NavigationDraft,
  at: Located,
  docs: string,
  trail: readonly string[],
): void {
  const page = at.literal.kind === 'string' ? at.literal.value : ''
  if (page === '' || /^([a-z][a-z0-9+.-]*:|\/\/|\/|#)/i.test(page) || /[?#]/.test(page)) return
  // Plugins process `*.md`, `section/` and `!include`.
  if (/[*!|]/.test(page) || !PAGE.test(page)) return
  const path = joinPath(docs, page)
  addEntry(files, draft, at, { trail, candidates: path === null ? [] : [path], exact: true })
}
