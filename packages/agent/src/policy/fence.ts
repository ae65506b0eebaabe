import type { LocaleFence, PolicyFile } from '@corrigenda/contracts'
import { buildGlob } from '@corrigenda/git/text'
import type { Locales } from './find-locales.ts'
import { toLocaleCode } from './locale-name.ts'

/** Something that refuses paths which the policy allows otherwise. It can never allow one. */
export interface Fence {
  /** Why a path may not be touched, as a sentence; null when this fence does not mind. */
  explain(path: string): string | null
  /** What it refuses, for the model: continues "at most 5 files, …". */
  readonly words: string
}

const SHOWN = 20

/** Patterns in words; the first ones of many. */
export function listSome(globs: readonly string[]): string {
  return `${globs.slice(0, SHOWN).join(', ')}${globs.length > SHOWN ? ', …' : ''}`
}

/** Keeps translations untouched; null when all languages may be written. `by` says who wants it so. */
export function buildLocaleFence(setting: LocaleFence, locales: Locales, by: string): Fence | null {
  if (setting === 'all') return null
  const allowed = new Set(setting === 'source-only' ? [] : setting.map(toLocaleCode))
  return {
    words: `no translations${allowed.size > 0 ? ` but those into ${listSome([...allowed])}` : ''} (${by})`,
    explain(path) {
      const locale = locales.toTranslation(path)
      if (locale === null || allowed.has(locale)) return null
      return `${JSON.stringify(path)} is a translation (${locale}), and those are fenced off by ${by}.`
    },
  }
}

/** What a repository's policy file says about paths; null when it says nothing. */
export function buildFileFence({ writable, forbidden = [] }: PolicyFile, name: string): Fence | null {
  if (writable === undefined && forbidden.length === 0) return null
  const options = { ignoreCase: true }
  const inside = writable === undefined ? () => true : buildGlob(writable, options)
  const outside = forbidden.length === 0 ? () => false : buildGlob(forbidden, options)
  return {
    // Its patterns are words of the repository: they are quoted to the model as such, and stand in no rule of ours.
    words: `only what ${name} of the repository leaves`,
    explain(path) {
      if (outside(path)) return `${JSON.stringify(path)} is fenced off by ${name} of the repository.`
      return inside(path)
        ? null
        : `${JSON.stringify(path)} is not among what ${name} of the repository allows: ${listSome(writable ?? [])}.`
    },
  }
}
