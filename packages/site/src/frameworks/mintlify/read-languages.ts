import type { ConfiguredLanguage } from '../framework.ts'

const MAX_LANGUAGES = 100

/**
 * Reads `navigation.languages` from a `docs.json` or `mint.json`. Returns an empty list if the file
 * is invalid or does not define languages.
 */
export function readLanguages(bytes: Uint8Array): ConfiguredLanguage[] {
  try {
    const languages: unknown = Object(Object(JSON.parse(new TextDecoder().decode(bytes))).navigation).languages
    if (!Array.isArray(languages)) return []
    return languages.slice(0, MAX_LANGUAGES).flatMap((one: unknown) => {
      const { language, default: isDefault } = Object(one)
      return typeof language === 'string' ? [{ code: language, isDefault: isDefault === true }] : []
    })
  } catch {
    return []
  }
}
