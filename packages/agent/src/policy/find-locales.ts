import { type LocaleName, toLocaleName } from './locale-name.ts'

/** Languages defined in a site's configuration. */
export interface ConfiguredLocales {
  /** Site folder, or '' for the repository root. */
  readonly root: string
  /** Lowercase with hyphens. */
  readonly languages: readonly string[]
  readonly source: string | null
}

/** Languages in a repository's documentation. */
export interface Locales {
  /**
   * Returns the language of a translation, lowercase with hyphens. Returns null for a path in the
   * source language or without a language.
   */
  toTranslation(path: string): string | null
}

/** Names of folders that contain only language folders. */
const CONTAINER = /^(_?locales?|i18n|intl|l10n|lang|langs|languages|translations?)$/i
const PAGE = /\.(mdx?|markdown|rst|adoc|txt|ipynb|html)$/i
const SUFFIX = /^(.+)\.([A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?)\.([A-Za-z]+)$/

/** A folder whose subfolders are named after languages. */
interface Candidate {
  /** Pages in each subfolder, keyed by its name. Page paths are relative to the subfolder. */
  readonly children: Map<string, { readonly locale: LocaleName; readonly pages: Set<string> }>
}

/**
 * Finds translation folders (`fr/`, `i18n/pt-BR/`, `docs/zh/`) and files (`page.de.md`) among a
 * repository's paths. Short codes can also be words (`id`, `it`, `ts`), so a folder counts only if
 * one of these conditions applies:
 * - its name contains a region or a script
 * - it is inside a translation folder, such as `i18n`
 * - the site configuration lists it
 * - a sibling folder for a common language shares a page with it
 * - it mirrors the pages next to it
 *
 * The source language is the first of these that applies: the configured language, the language of
 * the pages next to the folders if a folder mirrors them, English, or the language of the folder
 * with the most pages.
 */
export function findLocales(paths: readonly string[], configured: readonly ConfiguredLocales[] = []): Locales {
  const all = new Set(paths)
  const sources = new Map<string, string | null>()
  for (const [parent, candidate] of findCandidates(paths)) {
    const site = configured.find(({ root }) => root === parent)
    if (isLocalised(parent, candidate, all, site)) sources.set(parent, findSource(parent, candidate, all, site))
  }
  for (const { root, source } of configured) if (!sources.has(root)) sources.set(root, source)
  return { toTranslation: (path) => toFolderLocale(path, sources) ?? toFileLocale(path, all) }
}

function findCandidates(paths: readonly string[]): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>()
  for (const path of paths) {
    const parts = path.split('/')
    for (const [index, part] of parts.slice(0, -1).entries()) {
      const locale = toLocaleName(part)
      if (locale === null) continue
      const parent = parts.slice(0, index).join('/')
      const candidate = candidates.get(parent) ?? { children: new Map() }
      const child = candidate.children.get(part) ?? { locale, pages: new Set<string>() }
      if (PAGE.test(path)) child.pages.add(parts.slice(index + 1).join('/'))
      candidates.set(parent, { children: candidate.children.set(part, child) })
    }
  }
  return candidates
}

function isLocalised(
  parent: string,
  { children }: Candidate,
  all: ReadonlySet<string>,
  site: ConfiguredLocales | undefined,
): boolean {
  const found = [...children.values()]
  if (isContainer(parent) || found.some(({ locale }) => locale.isCertain)) return true
  if (found.some(({ locale }) => site?.languages.includes(locale.code))) return true
  if (found.some((child) => isMirrored(parent, child.pages, all))) return true
  return found.some(
    (one) =>
      one.locale.isCommon &&
      found.some((other) => other !== one && [...other.pages].some((page) => one.pages.has(page))),
  )
}

/** Returns the language of the source folder, or null if the source is elsewhere. */
function findSource(
  parent: string,
  { children }: Candidate,
  all: ReadonlySet<string>,
  site: ConfiguredLocales | undefined,
): string | null {
  if (site?.source != null) return site.source
  const found = [...children.values()].sort((a, b) => (a.locale.code < b.locale.code ? -1 : 1))
  if (found.some((child) => isMirrored(parent, child.pages, all))) return null
  const english = found.find(({ locale }) => /^en(-|$)/.test(locale.code))
  if (english) return english.locale.code
  if (isContainer(parent)) return null
  const largest = found.reduce((most, one) => (one.pages.size > most.pages.size ? one : most))
  return largest.locale.code
}

/** Returns true if at least half of a folder's pages also exist next to it. */
function isMirrored(parent: string, pages: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  const beside = [...pages].filter((page) => all.has(parent === '' ? page : `${parent}/${page}`)).length
  return beside > 0 && beside * 2 >= pages.size
}

const isContainer = (folder: string): boolean => CONTAINER.test(folder.split('/').at(-1) ?? '')

function toFolderLocale(path: string, sources: ReadonlyMap<string, string | null>): string | null {
  const parts = path.split('/')
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const locale = toLocaleName(part)
    if (locale === null) continue
    const parent = parts.slice(0, index).join('/')
    // This includes languages that do not have pages yet.
    const isKnown = sources.has(parent) || isContainer(parent) || locale.isCertain
    if (isKnown && locale.code !== sources.get(parent)) return locale.code
  }
  return null
}

/** Returns the language of `page.de.md` if `page.md` or `page.en.md` exists. */
function toFileLocale(path: string, all: ReadonlySet<string>): string | null {
  const slash = path.lastIndexOf('/') + 1
  const [, stem, middle, ending] = SUFFIX.exec(path.slice(slash)) ?? []
  const locale = middle === undefined ? null : toLocaleName(middle)
  if (locale === null || !PAGE.test(path)) return null
  const folder = path.slice(0, slash)
  if (all.has(`${folder}${stem}.${ending}`)) return locale.code
  return locale.code !== 'en' && all.has(`${folder}${stem}.en.${ending}`) ? locale.code : null
}
