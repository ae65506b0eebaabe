import { type Dialect, isMdx, isVue } from './dialect.ts'
import { dropCodeFences } from './drop-code-fences.ts'
import { dropIncludes } from './find-includes.ts'
import { dropShortcodes } from './find-used-shortcodes.ts'

/**
 * Matches includes and macros of MkDocs, VitePress, mdBook, Jekyll and others, and generated API
 * references.
 */
const INCLUDES =
  /--8<--|<!--[ \t]{0,5}@include|\{\{|\{%|\[\[include|^!?include::|^:::[ \t]{0,5}[\w-]{1,80}\.[\w.-]{1,200}[ \t]*$|<Snippet\b|<Include\b|<Content\b|<!--[ \t]{0,5}(?:all-contributors|auto|begin|start)/im
/**
 * Matches scripts in pages that import a component from the repository. Other scripts add no ids.
 */
const SCRIPT_IMPORT = /\bimport\b[^\n'"]{0,500}["'](?:\.{1,2}\/|\/|@\/|~)/
/** Matches inline code, in which includes have no effect or only insert code. */
const INLINE_CODE = /(?<!`)(`{1,3})(?!`)[^`\n]{1,500}\1(?!`)/g
/** Matches blocks of GitBook and Jekyll that contribute only the text between their tags. */
const TEXT_BLOCKS =
  /\{%-?[ \t]{0,9}(?:end)?(?:hint|stepper|step|tabs?|code|embed|content-ref|file|columns?|prompt|if|elsif|else|raw)\b[^{}\n]{0,500}%\}/g
/** Matches headings whose ids depend on a shortcode or an expression. */
const COMPUTED_HEADING = /^[ \t>]{0,20}#{1,6}[ \t](?![^\n]{0,1000}\{#)[^\n]{0,1000}\{[{%]/m
/** Matches expressions in headings, which Vue also evaluates in inline code. */
const VUE_HEADING = /^[ \t>]{0,20}#{1,6}[ \t][^\n]{0,2000}\{\{/m
/**
 * Matches expressions in HTML headings, HTML that an expression inserts, and components that are
 * loaded.
 */
const VUE_IDS = /<h[1-6]\b(?:(?!<h[1-6]\b)[^\n])*\{\{|\bv-html\b|\bimport[ \t]{0,5}\(/i

/**
 * Returns true if a page may have headings or ids that neither its text nor the files in
 * `findIdIncludes` contain. Imported components count only in plain Markdown.
 */
export function hasMoreAnchors(text: string, dialect: Dialect): boolean {
  const shown = dropCodeFences(text)
  if (isMdx(dialect)) return /<Snippet\b|<Include\b|<Markdown\b|<!--[ \t]{0,5}include/i.test(shown)
  const written = shown.replace(INLINE_CODE, '')
  if (isVue(dialect))
    return VUE_HEADING.test(shown) || VUE_IDS.test(written) || INCLUDES.test(dropIncludes(written).replaceAll('{{', ''))
  if (/<script\b/i.test(written) && SCRIPT_IMPORT.test(written)) return true
  if (COMPUTED_HEADING.test(written)) return true
  return INCLUDES.test(dropShortcodes(dropIncludes(written)).replace(TEXT_BLOCKS, ''))
}
