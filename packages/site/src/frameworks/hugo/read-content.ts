import { type Literal, toItems, toProperties } from '../../config/literal.ts'
import { dropExtension, dropIndex, joinPath, PAGE } from '../../pages/paths.ts'
import type { ContentFolder } from '../site.ts'
import { findKey } from './find-key.ts'

interface HugoContent {
  readonly content: readonly ContentFolder[]
  readonly languages: readonly string[]
  /** True if pages of one language also appear in another one. */
  readonly fallback: boolean
  /** Pages of mounted files, as folders without other pages. */
  readonly mounted: readonly ContentFolder[]
}

interface Mount {
  readonly source: string
  /** Below `content`; empty for `content` itself. */
  readonly target: string
  readonly languages: readonly string[]
}

const MAX_LANGUAGES = 100

/**
 * Finds the content folders: the mounts on `content`, or one folder per language, or one folder.
 */
export function readContent(settings: Literal | null, root: string): HugoContent {
  const main = toText(findKey(settings, 'defaultContentLanguage')) ?? 'en'
  const inSubfolder = isTrue(findKey(settings, 'defaultContentLanguageInSubdir'))
  const defined = toProperties(findKey(settings, 'languages')).slice(0, MAX_LANGUAGES)
  const codes = defined.filter(({ value }) => !isTrue(findKey(value, 'disabled'))).map(({ key }) => key)
  const languages = [main, ...codes.filter((code) => code !== main)]
  const toUrl = (code: string) => (code === main && !inSubfolder ? '/' : `/${code}`)
  const toContent = (folder: string, code: string, below = ''): ContentFolder => {
    const url = `${toUrl(code)}/${below}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
    return { folder: joinPath(root, folder) ?? root, url, kind: 'docs', language: code === main ? null : code }
  }
  const common = toText(findKey(settings, 'contentDir')) ?? 'content'
  const mounts = mergeMounts(readMounts(settings, languages), main)
  const found = mounts
    .filter(({ target }) => !/\.\w+$/.test(target))
    .map(({ source, target, languages: shown }) => toContent(source, shown[0] ?? main, target))
  const own = defined.flatMap(({ key, value }) => {
    const folder = toText(findKey(value, 'contentDir'))
    return folder === null || !languages.includes(key) ? [] : [toContent(folder, key)]
  })
  const rest = found.length > 0 ? [] : own.length > 0 ? own : [{ ...toContent(common, main), suffixes: languages }]
  const content = [...found, ...rest].sort((a, b) => Number(a.language !== null) - Number(b.language !== null))
  return {
    content,
    languages: codes.length > 1 ? languages : [],
    fallback: mounts.some(({ languages: shown }) => shown.length > 1),
    mounted: mounts
      .filter(({ target }) => PAGE.test(target))
      .flatMap(({ target }) => content.map((place) => toMounted(place, target))),
  }
}

/** Returns the place of a file that is mounted into a content folder. */
function toMounted({ folder, url }: ContentFolder, target: string): ContentFolder {
  const route = dropIndex(dropExtension(target), /^_?index$/i).toLowerCase()
  return {
    folder: joinPath(folder, target) ?? folder,
    url: `${url === '/' ? '' : url}/${route}`,
    kind: 'opaque',
    language: null,
  }
}

/** Reads the module mounts whose target is `content` or a folder or file in it. */
function readMounts(settings: Literal | null, known: readonly string[]): Mount[] {
  return toItems(findKey(settings, 'module', 'mounts')).flatMap((mount): Mount[] => {
    const [source, target] = [toText(findKey(mount, 'source')), toText(findKey(mount, 'target'))]
    if (source === null || !/^content(?:\/|$)/.test(target ?? '')) return []
    const lang = findKey(mount, 'lang')
    const matrix = findKey(mount, 'sites', 'matrix', 'languages')
    const named = [lang, ...toItems(matrix), matrix].flatMap((item) => toText(item) ?? [])
    const languages = named.filter((code) => known.includes(code))
    return [{ source, target: (target ?? '').slice('content/'.length), languages }]
  })
}

/**
 * Merges the mounts of one folder for several languages. Without a language, the main one applies.
 */
function mergeMounts(mounts: readonly Mount[], main: string): Mount[] {
  const merged = new Map<string, Mount>()
  const toLanguages = ({ languages }: Mount) => (languages.length === 0 ? [main] : languages)
  for (const mount of mounts) {
    const key = JSON.stringify([mount.source, mount.target])
    const before = merged.get(key)
    const languages = before === undefined ? mount.languages : [...toLanguages(before), ...toLanguages(mount)]
    merged.set(key, {
      ...mount,
      languages: [...new Set(languages)].sort((a, b) => Number(b === main) - Number(a === main)),
    })
  }
  return [...merged.values()]
}

function toText(literal: Literal | null): string | null {
  return literal?.kind === 'string' ? literal.value : null
}

function isTrue(literal: Literal | null): boolean {
  return literal?.kind === 'scalar' && literal.value === true
}
