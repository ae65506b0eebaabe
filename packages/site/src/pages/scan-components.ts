const TAG = /<([A-Z][\w$]{0,99})/g
/** Matches the start of an import or export up to the names that it defines. */
const DEFINITION = /^(?:import|export)\b[^;]{0,2000}?(?:\bfrom\b|=|\()/gm
const WORD = /[A-Z][\w$]*/g
const MAX_COMPONENTS = 500

/**
 * Returns the names of components that a page may use without an import, without parsing the page.
 * Returns too many names rather than too few.
 * @param visible the text without code and comments
 */
export function scanComponents(visible: string): string[] {
  const names = new Set<string>()
  for (const [, name = ''] of visible.matchAll(TAG)) if (names.size < MAX_COMPONENTS) names.add(name)
  if (names.size === 0) return []
  for (const [definition] of visible.matchAll(DEFINITION))
    for (const [word] of definition.matchAll(WORD)) names.delete(word)
  return [...names]
}
