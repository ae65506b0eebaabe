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
export interface LocaleName {
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
