import { parseAllDocuments } from 'yaml'

/**
 * Returns true if a Vale rule extends `script`, whose code Vale runs. Vale ignores the case of keys.
 * A file that cannot be parsed also counts, because Vale's parser may accept it.
 */
export function isValeScript(text: string): boolean {
  try {
    return [parseAllDocuments(text, { uniqueKeys: false, merge: true })].flat().some((document) => {
      if ('errors' in document && document.errors.length > 0) return true
      const rule: unknown = document.toJS()
      if (typeof rule !== 'object' || rule === null) return false
      return Object.entries(rule).some(
        ([key, value]) => key.toLowerCase() === 'extends' && String(value).trim().toLowerCase() === 'script',
      )
    })
  } catch {
    return true
  }
}
