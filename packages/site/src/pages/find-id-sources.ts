import { dropCodeFences } from './drop-code-fences.ts'

/**
 * Matches imports of components from the repository. Components from packages and the framework
 * (`@theme/…`) only render the content between their tags.
 */
const IMPORT =
  /^[ \t]*import[ \t]{1,20}(?:\*[ \t]{1,20}as[ \t]{1,20})?(\{?[^'"\n]{1,500}?)[ \t]from[ \t]{0,20}["']((?:\.{0,2}\/|@site\/|@\/|~[\w-]{0,100}\/)[^'"\n]{1,500})["']/gm
const MAX_SOURCES = 50

/**
 * Returns the imported files whose components a page uses. They may add ids to the page. Returns
 * null if there are too many.
 */
export function findIdSources(text: string): string[] | null {
  const sources = new Set<string>()
  const shown = dropCodeFences(text)
  for (const [, names = '', href = ''] of shown.matchAll(IMPORT)) {
    const isUsed = names
      .match(/[A-Z]\w*/g)
      ?.some((name) => shown.includes(`<${name}`) || shown.includes(`<${toTag(name)}`))
    if (isUsed) sources.add(href)
    if (sources.size > MAX_SOURCES) return null
  }
  return [...sources]
}

/** Vue also accepts `<my-card>` for `MyCard`. */
function toTag(name: string): string {
  return name.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}
