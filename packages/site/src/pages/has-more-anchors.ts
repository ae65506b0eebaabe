import { type Dialect, isMdx } from './dialect.ts'
import { dropCodeFences } from './drop-code-fences.ts'

/**
 * Matches includes and macros of MkDocs, VitePress, mdBook, Jekyll and others, and generated API
 * references.
 */
const INCLUDES =
  /--8<--|<!--[ \t]{0,5}@include|\{\{|\{%|\[\[include|^!?include::|^:::[ \t]{0,5}[\w-]{1,80}\.[\w.-]{1,200}[ \t]*$|<Snippet\b|<Include\b|<Content\b|<!--[ \t]{0,5}(?:all-contributors|auto|begin|start)/im
/** Matches scripts in pages that import a component from the repository. Other scripts add no ids. */
const SCRIPT_IMPORT = /\bimport\b[^\n'"]{0,500}["'](?:\.{1,2}\/|\/|@\/|~)/
/** Matches shortcodes that only become the URL of a page. */
const PAGE_REFERENCE = /\{\{[<%][ \t]{0,20}(?:rel)?ref\b[^{}\n]{0,500}\}\}/g
/** Matches expressions in headings, HTML that an expression inserts, and components that are loaded. */
const VUE_IDS = /^[ \t>]{0,20}#{1,6}[ \t][^\n]{0,2000}\{\{|<h[1-6]\b[^\n]{0,2000}\{\{|\bv-html\b|\bimport[ \t]{0,5}\(/im

/**
 * Returns true if a page may have headings or ids that its text does not contain, because other
 * content is included. Imported components count only in plain Markdown.
 */
export function hasMoreAnchors(text: string, dialect: Dialect): boolean {
  const shown = dropCodeFences(text).replace(PAGE_REFERENCE, '')
  if (dialect === 'vue') return VUE_IDS.test(shown) || INCLUDES.test(shown.replaceAll('{{', ''))
  if (!isMdx(dialect)) return INCLUDES.test(shown) || (/<script\b/i.test(shown) && SCRIPT_IMPORT.test(shown))
  return /<Snippet\b|<Include\b|<Markdown\b|<!--[ \t]{0,5}include/i.test(shown)
}
