import { findAttributeIds } from './find-attribute-ids.ts'
import { toLabel } from './find-labels.ts'
import { MAX_FRONTMATTER, splitFrontmatter } from './split-frontmatter.ts'

/** Front matter that affects a page's URL or its place in the navigation. */
export interface PageFacts {
  /** Docusaurus: the document's name in sidebars. */
  readonly id: string | null
  /** Docusaurus, Starlight, Fern, VitePress: the page's URL, absolute or relative to its folder. */
  readonly slug: string | null
  /** Hugo: the page's URL. */
  readonly url: string | null
  /** Hugo: older URLs of the page, absolute or relative to its folder, which redirect to it. */
  readonly aliases: readonly string[]
  /** Mintlify: true if the page only links elsewhere or contains an API operation. */
  readonly external: boolean
  /** True if omitted from the navigation on purpose (`hidden`, `draft`, `unlisted`, `orphan`). */
  readonly hidden: boolean
  readonly title: string | null
  /** MyST: names by which all pages can refer to a place of the page, as in `toLabel`. */
  readonly labels: readonly string[]
}

const EMPTY: PageFacts = {
  id: null,
  slug: null,
  url: null,
  aliases: [],
  external: false,
  hidden: false,
  title: null,
  labels: [],
}

const MAX_LABELS = 2_000
const TARGET =
  /^[ \t>]{0,40}(?:\(([^()\n]{1,200})\)=[ \t]*$|:(?:name|label):[ \t]{1,20}(\S[^\n]{0,199})$)|\$\$[ \t]{0,9}\(([^()\n]{1,200})\)/gm
const TOML = /^\+\+\+[ \t]*\n([\s\S]*?)^\+\+\+[ \t]*$/m

/**
 * Reads these facts from a page with LF line endings and no byte order mark. Reads only lines in
 * the form `key: value`, or `key = value` between `+++` lines, and the list `aliases`. Some frameworks
 * accept blank lines before the front matter.
 */
export function readPageFacts(text: string): PageFacts {
  const start = text.slice(0, MAX_FRONTMATTER).trimStart()
  const isToml = start.startsWith('+++')
  const labels = findTargets(text)
  if (!isToml && !start.startsWith('---')) return { ...EMPTY, labels }
  const block = isToml ? (TOML.exec(start)?.[1] ?? null) : splitFrontmatter(start).yaml
  if (block === null) return { ...EMPTY, labels }
  const sign = isToml ? '=' : ':'
  const read = (key: string): string | null => {
    const value = new RegExp(`^${key}[ \\t]{0,20}${sign}[ \\t]{0,20}(.{1,1000})$`, 'm').exec(block)?.[1]
    return value === undefined ? null : readScalar(value)
  }
  const isTrue = (key: string) => /^true$/i.test(read(key) ?? '')
  return {
    id: read('id'),
    slug: read('slug'),
    url: read('url'),
    aliases: readAliases(block),
    external: read('url') !== null || read('openapi') !== null,
    hidden: isTrue('hidden') || isTrue('draft') || isTrue('unlisted') || isTrue('orphan'),
    title: read('title'),
    labels,
  }
}

/** Returns the names in `(name)=`, `:name: name`, `$$ (name)` and `{#name}`. */
function findTargets(text: string): string[] {
  const found = new Set(text.includes('#') ? findAttributeIds(text).map(toLabel) : [])
  for (const [, target, option, formula] of text.matchAll(TARGET)) found.add(toLabel(target ?? option ?? formula ?? ''))
  return [...found].slice(0, MAX_LABELS)
}

/** Reads the paths in `aliases: [/a, /b]`, in the same list on several lines, or in a YAML list. */
function readAliases(block: string): string[] {
  const list =
    /^aliases[ \t]{0,20}[:=][ \t]{0,20}(?:\[([^\]]{0,5000})\]|((?:\n[ \t]{0,20}-[^\n]{0,1000}){1,100}))/m.exec(block)
  const items = list?.[1]?.split(',') ?? list?.[2]?.split('\n').map((row) => row.trim().replace(/^-/, '')) ?? []
  return items.map(readScalar).filter((item) => item !== '')
}

/** Removes the quotes or the comment of a YAML or TOML value on one line. */
function readScalar(value: string): string {
  const trimmed = value.trim()
  return /^(["'])(.*)\1/.exec(trimmed)?.[2] ?? trimmed.replace(/(?:^|[ \t])#.*$/s, '').trim()
}
