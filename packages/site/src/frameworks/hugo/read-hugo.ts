import type { ConfigFile, ConfigFiles } from '../../config/config-files.ts'
import type { Literal, Property } from '../../config/literal.ts'
import { toItems, toProperties } from '../../config/literal.ts'
import { isBelow, joinPath, PAGE, toFolder, toName } from '../../pages/paths.ts'
import { buildDraft, buildSite, noteFile, type ReadSite, toBase } from '../build-site.ts'
import type { ContentFolder } from '../site.ts'
import { findKey } from './find-key.ts'
import { readContent } from './read-content.ts'

/** Matches templates for links. They find pages by name, ignoring case. */
const LINK_HOOK = /^(?=(?:.*\/)?layouts\/)(?:.*\/)?_markup\/render-link(?:\.[\w-]+)*\.html$/s
const DEFAULT_FOLDER = /(?:^|\/)config\/_default$/
/** Folders of a project whose Markdown files are templates or copies, not pages. */
const NO_PAGES = ['/archetypes/', '/layouts/', '/themes/', '/assets/', '/data/', '/public/', '/resources/']

/**
 * Reads a Hugo site: `hugo.toml`, `config.toml`, or the files in `config/_default`, in TOML, YAML
 * or JSON; Hugo merges a file in the root with the folder. URLs derive from paths and front matter.
 * Sections with `permalinks` are opaque.
 */
export const readHugo: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const folder = toFolder(config)
  const isSplit = DEFAULT_FOLDER.test(folder)
  const root = isSplit ? folder.replace(/\/?config\/_default$/, '') : folder
  const isNamed = /^hugo\./.test(toName(config))
  if (!isNamed && !isSplit && findKey(file.literal, 'baseURL') === null) return null
  const parts = [...(isSplit ? [] : [file]), ...(await readParts(files, joinPath(root, 'config/_default') ?? folder))]
  const settings = mergeParts(parts)
  const { content, languages, fallback, mounted } = readContent(settings, root)
  const isPage = (path: string) => PAGE.test(path) && content.some(({ folder: own }) => isBelow(path, own))
  // Themes and test configurations have the same files, but no pages.
  if (file.literal !== null && !files.paths.some(isPage)) return null
  const draft = { ...buildDraft(config), mode: 'all' as const }
  for (const part of parts) noteFile(draft, part)
  const base = findKey(settings, 'baseURL')
  const statics = [findKey(settings, 'staticDir')].flatMap((found) => [...toItems(found), ...(found ? [found] : [])])
  const named = statics.flatMap((item) => (item.kind === 'string' ? [item.value] : []))
  return buildSite(
    {
      root,
      config,
      content: [...content, ...toOpaque(settings, content), ...mounted],
      ignored: [{ folder: root, patterns: NO_PAGES }],
      base: toBase(base?.kind === 'string' ? base.value : null),
      publicFolders: (named.length > 0 ? named : ['static']).flatMap((path) => joinPath(root, path) ?? []),
      languages,
      languageFallback: fallback,
      resolvesNames: files.below(root).some((path) => LINK_HOOK.test(path)),
      addresses: parts.some(({ literal }) => literal === null) ? 'unknown' : 'known',
    },
    draft,
  )
}

async function readParts(files: ConfigFiles, folder: string): Promise<ConfigFile[]> {
  const paths = files.paths.filter((path) => toFolder(path) === folder && /\.(?:toml|ya?ml|json)$/.test(path))
  return (await Promise.all(paths.map((path) => files.open(path)))).filter((part) => part !== null)
}

/** Merges split configuration: the file `languages.toml` contains the setting `languages`. */
function mergeParts(parts: readonly ConfigFile[]): Literal {
  const properties = parts.flatMap(({ path, literal }): Property[] => {
    const name = toName(path).replace(/\.\w+$/, '')
    if (/^(?:hugo|config)$/.test(name)) return [...toProperties(literal)]
    // `menus.en.toml` contains the menus of one language.
    return literal === null || name.includes('.') ? [] : [{ key: name, keyStart: 0, keyEnd: 0, value: literal }]
  })
  return { kind: 'object', properties, whole: true, start: 0, end: 0 }
}

/** Returns the sections whose URLs `permalinks` defines, and the lists of taxonomy terms. */
function toOpaque(settings: Literal | null, content: readonly ContentFolder[]): ContentFolder[] {
  const permalinks = toProperties(findKey(settings, 'permalinks')).flatMap((property): readonly Property[] =>
    property.value.kind === 'object' ? toProperties(property.value) : [property],
  )
  const sections = permalinks.flatMap(({ key, value }) =>
    value.kind === 'string' && /:/.test(value.value)
      ? content.map(({ folder }) => ({
          folder: joinPath(folder, key) ?? folder,
          url: `/${value.value.replace(/^\/+/, '').split(':')[0]}`.replace(/(?<=.)\/$/, ''),
        }))
      : [],
  )
  const terms = toProperties(findKey(settings, 'taxonomies')).flatMap(({ value }) =>
    value.kind === 'string' ? content.map(({ folder, url }) => ({ folder, url, name: value.value })) : [],
  )
  const lists = terms.map(({ folder, url, name }) => ({
    folder: joinPath(folder, name) ?? folder,
    url: `${url === '/' ? '' : url}/${name}`,
  }))
  return [...sections, ...lists].map((found) => ({ ...found, kind: 'opaque' as const, language: null }))
}
