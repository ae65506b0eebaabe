import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems } from '../../config/literal.ts'
import { toLabel } from '../../pages/find-labels.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'
import { blur, buildDraft, buildSite, noteFile, type ReadSite, toBase, toRedirects, toTexts } from '../build-site.ts'
import { findSetting } from './find-setting.ts'
import { readContent } from './read-content.ts'
import { readFolderNavs, readNav } from './read-nav.ts'
import { type MkdocsPlugin, readPlugins } from './read-plugins.ts'

/** Plugins that generate the navigation. */
const NAVIGATION_PLUGINS =
  /^(?:awesome-nav|awesome-pages|literate-nav|gen-files|monorepo|multirepo|mkdocs-simple|api-autonav|exclude|tags-index)$/
/** Plugins that add pages at paths that the configuration does not contain. */
const PAGE_PLUGINS = /^(?:gen-files|monorepo|multirepo|api-autonav|mkdocs-simple)$/
/** Plugins that resolve the labels of links to headings of all pages. */
const LABEL_PLUGINS = /^(?:autorefs|mkdocstrings)$/
const CONFIG = /(?:^|\/)mkdocs\.ya?ml$/
/** Matches the lines that include files: one per line, or a list of them. */
const INCLUDES = /^--8<--[ \t]*(?:["']([^"'\n]{1,500})["']|\n([^<]{1,5000})^--8<--)/gm
/** Files that MkDocs always excludes. */
const DEFAULT_IGNORES = ['.*', '/templates/']
/** Matches the start of a link definition. */
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:/gm
const MAX_APPENDED = 20
const UNKNOWN: Literal = { kind: 'unknown', start: 0, end: 0 }

/**
 * Reads `mkdocs.yml` and the files it inherits from: `nav`, `docs_dir`, excluded pages, languages,
 * and the plugins for redirects, blogs and translations. MkDocs-specific tags are read as
 * `unknown`.
 */
export const readMkdocs: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  noteFile(draft, file)
  const chain = await readInherited(files, { file, literal: file.literal ?? UNKNOWN })
  const find = (...path: string[]) => findSetting(chain, ...path)
  const plugins = readPlugins(find('plugins'))
  const { folders, content, languages, translations } = readContent(files, chain, plugins, root)
  const docs = content[0]?.folder ?? root
  // A project that a project for another language lists as its translation is part of that site.
  const mains = chain.slice(1).map((parent) => {
    const at = toFolder(parent.file.path)
    return at === root ? [] : readContent(files, chain.slice(chain.indexOf(parent)), plugins, at).content
  })
  if (mains.flat().some(({ language, folder }) => language !== null && folder === docs)) return null
  // A configuration that another project uses.
  if (!files.hasFolder(docs) && files.paths.some((path) => path !== config && CONFIG.test(path))) return null

  const nav = find('nav')
  if (file.literal === null || plugins.some(({ name }) => NAVIGATION_PLUGINS.test(name))) blur(draft)
  else if (nav === null || (nav.literal.kind === 'scalar' && nav.literal.value === null)) draft.mode = 'all'
  if (nav !== null) {
    if (nav.file !== file) noteFile(draft, nav.file)
    readNav({ files, draft, folders, suffix: content[0]?.suffixes?.[0] }, nav)
  }
  if (plugins.some(({ name }) => /^awesome-(?:nav|pages)$/.test(name))) await readFolderNavs(files, draft, docs)
  draft.omitted.push(
    ...translations,
    ...toLines(find('not_in_nav')),
    ...findSnippets(find('markdown_extensions'), root, docs),
  )

  const plugin = plugins.find(({ name }) => name === 'redirects')
  const maps = findProperty(plugin?.options, 'redirect_maps')
  const at = find('plugins')
  const redirects = at === null ? [] : toRedirects(files, at.file, maps)
  const site = find('site_url')?.literal
  const generates = plugins.some(({ name }) => PAGE_PLUGINS.test(name))
  const patterns = [...DEFAULT_IGNORES, ...toLines(find('exclude_docs')), ...toLines(find('draft_docs'))]
  return buildSite(
    {
      root,
      config,
      content,
      ignored: content.flatMap(({ kind, folder }) => (kind === 'docs' ? [{ folder, patterns }] : [])),
      base: toBase(site?.kind === 'string' ? site.value : null),
      publicFolders: folders,
      languages,
      languageFallback: languages.length > 1,
      addresses: file.literal === null || generates ? 'unknown' : 'known',
      hasOpenLabels: plugins.some(({ name }) => LABEL_PLUGINS.test(name)),
      labels: await readSharedLabels(files, find('markdown_extensions'), root),
    },
    draft,
    redirects,
    plugin === undefined || at === null ? [] : [at.file.path],
    plugin === undefined || maps === null || maps.kind === 'object',
  )
}

function toLines(at: Located | null): string[] {
  return at?.literal.kind === 'string' ? at.literal.value.split('\n').filter((row) => row.trim() !== '') : []
}

/** Returns patterns for the folders of snippets, whose files are parts of other pages. */
function findSnippets(extensions: Located | null, root: string, docs: string): string[] {
  const paths = findProperty(findSnippetOptions(extensions), 'base_path')
  return [...toItems(paths), ...(paths === null ? [] : [paths])].flatMap((item) => {
    const folder = item.kind === 'string' ? joinPath(root, item.value) : null
    return folder?.startsWith(`${docs}/`) ? [`/${folder.slice(docs.length + 1)}/`] : []
  })
}

function findSnippetOptions(extensions: Located | null): Literal | null {
  return readPlugins(extensions).find(({ name }: MkdocsPlugin) => name === 'pymdownx.snippets')?.options ?? null
}

/** Returns the labels that the files of `auto_append` define. They are added to each page. */
async function readSharedLabels(files: ConfigFiles, extensions: Located | null, root: string): Promise<Set<string>> {
  const options = findSnippetOptions(extensions)
  const read = (key: string) => {
    const found = findProperty(options, key)
    return found?.kind === 'string' ? [found.value] : toTexts(found)
  }
  const folders = [...read('base_path'), '.', '']
  const labels = new Set<string>()
  const names = new Set(read('auto_append').slice(0, MAX_APPENDED))
  for (const name of names) {
    const paths = folders.flatMap((folder) => joinPath(root, `${folder}/${name}`) ?? [])
    const path = paths.find(files.has)
    const file = path === undefined ? null : await files.open(path)
    for (const [, label = ''] of file?.text.matchAll(DEFINITION) ?? []) labels.add(toLabel(label))
    for (const [, single, list = ''] of file?.text.matchAll(INCLUDES) ?? [])
      for (const included of [single ?? '', ...list.split('\n')])
        if (included.trim() !== '' && names.size < MAX_APPENDED) names.add(included.trim())
  }
  return labels
}

const MAX_PARENTS = 5

/** Returns a configuration and those it inherits from (`INHERIT: ../base.yml`), nearest first. */
async function readInherited(files: ConfigFiles, own: Located): Promise<Located[]> {
  const chain = [own]
  while (chain.length <= MAX_PARENTS) {
    const parent = await findParent(files, chain)
    if (parent === null) break
    chain.push(parent)
  }
  return chain
}

async function findParent(files: ConfigFiles, chain: readonly Located[]): Promise<Located | null> {
  const last = chain.at(-1)
  const inherited = findText(last?.literal, 'INHERIT')
  const path = last === undefined || inherited === null ? null : joinPath(toFolder(last.file.path), inherited)
  if (path === null || chain.some(({ file }) => file.path === path)) return null
  const file = await files.open(path)
  return file?.literal ? { file, literal: file.literal } : null
}
