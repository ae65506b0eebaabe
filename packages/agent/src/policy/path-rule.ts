import type { LocaleRule, PolicyFile } from '@corrigenda/contracts'
import { buildGlob } from '@corrigenda/git/text'
import type { Locales } from './find-locales.ts'
import { toLocaleCode } from './locale-name.ts'

/**
 * An additional restriction on paths that the policy otherwise allows. A rule cannot allow a path.
 */
export interface PathRule {
  /**
   * Returns a sentence that explains why the path is rejected, or null if this rule does not apply.
   */
  explain(path: string): string | null
  /**
   * Description of the rule for the model. Continues the sentence "at most 5 files, …".
   */
  readonly words: string
}

const SHOWN = 20

/** Lists up to 20 patterns as text. */
export function listSome(globs: readonly string[]): string {
  return `${globs.slice(0, SHOWN).join(', ')}${globs.length > SHOWN ? ', …' : ''}`
}

/**
 * Builds a rule that protects translations, or returns null if all languages may be written. `by`
 * names the origin of the setting.
 */
export function buildLocaleRule(setting: LocaleRule, locales: Locales, by: string): PathRule | null {
  if (setting === 'all') return null
  const allowed = new Set(setting === 'source-only' ? [] : setting.map(toLocaleCode))
  return {
    words: `no translations${allowed.size > 0 ? ` except into ${listSome([...allowed])}` : ''} (${by})`,
    explain(path) {
      const locale = locales.toTranslation(path)
      if (locale === null || allowed.has(locale)) return null
      return `${JSON.stringify(path)} is a translation (${locale}). Translations are excluded by ${by}.`
    },
  }
}

/**
 * Builds a rule from the path rules of a repository's policy file, or returns null if the file has
 * no path rules.
 */
export function buildFileRule({ writable, forbidden = [] }: PolicyFile, name: string): PathRule | null {
  if (writable === undefined && forbidden.length === 0) return null
  const options = { ignoreCase: true }
  const inside = writable === undefined ? () => true : buildGlob(writable, options)
  const outside = forbidden.length === 0 ? () => false : buildGlob(forbidden, options)
  return {
    // The patterns are repository content. They are quoted to the model as such and do not appear
    // in the product's rules.
    words: `only paths that the repository's ${name} allows`,
    explain(path) {
      if (outside(path)) return `${JSON.stringify(path)} is excluded by the repository's ${name}.`
      return inside(path)
        ? null
        : `${JSON.stringify(path)} is not allowed by the repository's ${name}. Allowed paths: ${listSome(writable ?? [])}.`
    },
  }
}
