import { type Dialect, isMdx } from './dialect.ts'

/**
 * Matches includes and macros of MkDocs, VitePress, mdBook, Jekyll and others, and generated API
 * references.
 */
const INCLUDES =
  /--8<--|<!--[ \t]{0,5}@include|\{\{|\{%|\[\[include|^!?include::|^:::[ \t]{0,5}[\w-]{1,80}\.[\w.-]{1,200}[ \t]*$|<Snippet\b|<Include\b|<Content\b|<!--[ \t]{0,5}(?:all-contributors|auto|begin|start)/im
/** Matches scripts in pages that import a component from the repository. Other scripts add no ids. */
const SCRIPT_IMPORT = /\bimport\b[^\n'"]{0,500}["'](?:\.{1,2}\/|\/|@\/|~)/
/**
 * Matches imports of components from the repository. Components from packages and the framework
 * (`@theme/…`) only render the content between their tags.
 */
const IMPORT =
  /^import[ \t]{1,20}(?:\*[ \t]{1,20}as[ \t]{1,20})?\{?[ \t]{0,20}([A-Z]\w{0,80})[^'"\n]{0,500}["'](?:\.{0,2}\/|@site\/|@\/|~)/gm
/** Matches shortcodes that only become the URL of a page. */
const PAGE_REFERENCE = /\{\{[<%][ \t]{0,20}(?:rel)?ref\b[^{}\n]{0,500}\}\}/g
const MAX_IMPORTS = 200

/**
 * Returns true if a page may have headings or ids that its text does not contain, because other
 * content is included.
 */
export function hasMoreAnchors(text: string, dialect: Dialect): boolean {
  const shown = dropCodeFences(text).replace(PAGE_REFERENCE, '')
  if (!isMdx(dialect)) return INCLUDES.test(shown) || (/<script\b/i.test(shown) && SCRIPT_IMPORT.test(shown))
  if (/<Snippet\b|<Include\b|<Markdown\b|<!--[ \t]{0,5}include/i.test(shown)) return true
  let seen = 0
  for (const match of text.matchAll(IMPORT)) {
    seen += 1
    if (seen > MAX_IMPORTS || text.includes(`<${match[1]}`)) return true
  }
  return false
}

/** Removes fenced code. Content that is included in code does not create headings. */
function dropCodeFences(text: string): string {
  let codeFence: string | null = null
  return text
    .split('\n')
    .filter((line) => {
      const mark = /^[ \t]{0,20}(`{3,20}|~{3,20})/.exec(line)?.[1]
      if (mark === undefined) return codeFence === null
      if (codeFence === null) codeFence = mark
      else if (mark.startsWith(codeFence)) codeFence = null
      return false
    })
    .join('\n')
}
