import type { Scan } from './build-scan.ts'
import { isOutside } from './page-place.ts'

/** Hugo rejects a shortcode without an end, so the end is not required. */
const SHORTCODE = /\{\{[<%]\s*([\w./-]{1,100})((?:(?![>%]\}\})[\s\S]){0,2000})/g
const VALUE = /"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`|=([^\s"'`]+)|(?<=\s)([^\s"'`=]+)(?=\s)/g
/** Front matter that selects another markup language, which can insert files and run programs. */
const MARKUP = /^[ \t{]*["']?markup["']?[ \t]*[:=][ \t]*["']?(?:html?|rst|asciidoc\w*|adoc|pandoc|pdc|org)\b[^\n]*/gim
/** Names of shortcodes that read files or URLs. */
const READS = /read|include|import|embed|fetch|remote|file|code|csv|json|yaml|snippet|partial|literal|raw/i

/**
 * Lists the shortcodes of Hugo that contain templates, and those that read URLs or files outside of
 * the documentation.
 */
export function listShortcodes(scan: Scan): void {
  for (const { 0: source, index } of scan.text.matchAll(MARKUP)) scan.run(index, source)
  for (const { 1: name = '', 2: inside = '', index } of scan.text.matchAll(SHORTCODE)) {
    if (/^[^/].*\.inline$/.test(name)) {
      const readInline = () => {
        const end = scan.text.indexOf(`/${name}`, index)
        return scan.text.slice(index, end < 0 ? undefined : end)
      }
      scan.run(index, scan.readBlock(readInline))
    }
    if (!READS.test(name)) continue
    for (const match of `${inside} `.matchAll(VALUE)) {
      const value = match.slice(1).find((one) => one !== undefined) ?? ''
      // Other shortcodes also have values that are not paths.
      if (isOutside(value) || (/^readfile$/i.test(name) && /[./]/.test(value))) scan.include(index, value)
    }
  }
}
