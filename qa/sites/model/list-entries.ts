import type { DocSite } from './doc-site.ts'

/** A scalar of a navigation file that leads to a page. */
export interface SiteEntry {
  readonly file: string
  readonly text: string
  readonly start: number
  readonly end: number
  readonly page: string
}

const NOT_NAVIGATION =
  /(?:^|\/)(?:_redirects|redirects?\.\w+|vercel\.json|netlify\.toml|book\.toml|versions\.json|\.gitbook\.ya?ml|next\.config\.\w+)$/
const PATTERNS: readonly (readonly [RegExp, RegExp])[] = [
  [/\.md$/, /\]\(\s*<?([^()<>\s]+)/g],
  [/\.ya?ml$/, /(?:^|[\s:'"])((?:[\w.@/-]+)\.mdx?)(?=["']?\s*(?:$|#))/gm],
  [/\.(?:jsonc?|[cm]?[jt]sx?)$/, /["'`]([^"'`\n\s]+)["'`]/g],
]

/** Lists the entries of a site's navigation files that lead to pages in its content folders. */
export function listEntries(site: DocSite): SiteEntry[] {
  const content = new Set(site.content.map(({ path }) => path))
  return site.navigation.flatMap((file) => {
    const text = site.tree.text(file) ?? ''
    const pattern = PATTERNS.find(([name]) => name.test(file))?.[1]
    if (pattern === undefined || NOT_NAVIGATION.test(file)) return []
    return [...text.matchAll(pattern)].flatMap((match): SiteEntry[] => {
      const value = match[1] ?? ''
      const start = match.index + match[0].lastIndexOf(value)
      const line = text.slice(text.lastIndexOf('\n', start) + 1, start)
      if (
        /(?:source|destination|from|to|redirect\w*|import|activeMatch|text|label|title|["']?\S+\.md["']?)["']?\s*[:(]?\s*["']?$/.test(
          line,
        ) &&
        !/link/.test(line)
      )
        return []
      // A key, such as the prefix of a VitePress sidebar, is no entry.
      if (/^["'`]\s*:/.test(text.slice(start + value.length))) return []
      if (/^\s*(?:\/\/|#|\*|import\b)/.test(line)) return []
      const page = site.resolveEntry(file, value)
      // A word such as a language code is an entry only if it names the page itself.
      if (!/[/.]/.test(value) && page?.replace(/^.*\/|\.\w+$/g, '') !== value) return []
      return page !== null && content.has(page) ? [{ file, text, start, end: start + value.length, page }] : []
    })
  })
}
