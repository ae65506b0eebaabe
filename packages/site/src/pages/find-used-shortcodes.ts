import { dropCodeFences } from './drop-code-fences.ts'
import type { PageLink } from './page-content.ts'

const SHORTCODE = /\{\{[<%][ \t\n]{0,20}\/?[ \t]{0,20}([A-Za-z_][\w/.-]{0,100})([^{}]{0,2000}?)[>%]\}\}/g
/** Matches a shortcode that a page shows instead of using it. */
const ESCAPED = /\{\{[<%]\/\*[^{}]{0,2000}?\*\/[>%]\}\}/g
/** Shortcodes of Hugo that add no ids except those in their parameters. */
const BUILT_IN = new Set('figure gist highlight instagram param qr ref relref tweet vimeo x youtube'.split(' '))
/** Maximum number of names. A page with more of them is not followed. */
const MAX_NAMES = 50

/** Returns the shortcodes of a page whose templates may add ids, each one once. */
export function findUsedShortcodes(text: string): PageLink[] {
  if (!/\{\{[<%]/.test(text)) return []
  const names = new Set<string>()
  for (const [, name = ''] of dropCodeFences(text).matchAll(SHORTCODE)) if (!BUILT_IN.has(name)) names.add(name)
  return [...names].slice(0, MAX_NAMES + 1).map((href) => ({ kind: 'include', notation: 'shortcode', href, line: 0 }))
}

/** Removes shortcodes that add no ids, or that `findUsedShortcodes` returns. */
export function dropShortcodes(text: string): string {
  return text
    .replace(ESCAPED, '')
    .replace(SHORTCODE, (written: string, name: string, rest: string) =>
      BUILT_IN.has(name) && /\bid\b/.test(rest) ? written : '',
    )
}
