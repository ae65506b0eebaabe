import type { Workspace } from '@corrigenda/git/workspace'
import { ALL_FRAMEWORKS } from '@corrigenda/site/sites'

/** Languages defined in a site's configuration. */
interface ConfiguredLocales {
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

/** ISO 639-1 codes, plus other codes used as documentation folder names. */
const LANGUAGES = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ' +
    'ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo ' +
    'lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl ' +
    'sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ' +
    'ast ckb fil hsb kab yue'
  ).split(' '),
)

/**
 * Languages that are common translation targets. A folder with one of these names is almost
 * certainly a translation.
 */
const COMMON = new Set('ar bg ca da de el en es fa fi fr he hu ja ko nl pl pt ro ru sv th tr uk zh'.split(' '))

/** A name that may denote a language. */
interface LocaleName {
  /** Lowercase with hyphens, for example `pt-br`. */
  readonly code: string
  /** True if the name has a region or a script, which makes it unambiguous. */
  readonly isCertain: boolean
  readonly isCommon: boolean
}

/**
 * Parses a language from a folder name or from the middle part of `page.de.md`. Returns null if the
 * name is not a language.
 */
export function toLocaleName(name: string): LocaleName | null {
  const match = /^([A-Za-z]{2,3})([-_][A-Za-z]{4})?([-_](?:[A-Za-z]{2}|\d{3}))?$/.exec(name)
  const language = match?.[1]?.toLowerCase()
  if (!match || language === undefined || !LANGUAGES.has(language)) return null
  return {
    code: toLocaleCode(name),
    isCertain: match[2] !== undefined || match[3] !== undefined,
    isCommon: COMMON.has(language),
  }
}

/** Normalizes the spelling of a language code. */
export const toLocaleCode = (text: string): string => text.trim().toLowerCase().replaceAll('_', '-')

const MAX_BYTES = 2_097_152
const MAX_SITES = 20

/**
 * Returns the languages defined in the base commit's site configuration files. Skips files that
 * cannot be read.
 */
export async function readConfiguredLocales(
  workspace: Pick<Workspace, 'listBase' | 'readBase'>,
): Promise<ConfiguredLocales[]> {
  const entries = (await workspace.listBase()).flatMap(({ path, kind }) => {
    const framework = ALL_FRAMEWORKS.find(
      ({ readLanguages, detections }) => readLanguages && detections.some(({ config }) => config.test(path)),
    )
    return kind === 'file' && framework !== undefined ? [{ path, framework }] : []
  })
  const found: ConfiguredLocales[] = []
  for (const { path, framework } of entries.slice(0, MAX_SITES)) {
    const bytes = await workspace.readBase(path)
    if (bytes === null || bytes.length > MAX_BYTES) continue
    const languages = framework.readLanguages?.(bytes) ?? []
    if (languages.length === 0) continue
    const [first] = languages
    const source = languages.find(({ isDefault }) => isDefault) ?? first
    found.push({
      root: path.split('/').slice(0, -1).join('/'),
      languages: languages.map(({ code }) => toLocaleCode(code)),
      source: source === undefined ? null : toLocaleCode(source.code),
    })
  }
  return found
}
