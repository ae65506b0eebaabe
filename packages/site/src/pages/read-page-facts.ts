import { splitFrontmatter } from './split-frontmatter.ts'

/** Front matter that affects a page's URL or its place in the navigation. */
export interface PageFacts {
  /** Docusaurus: the document's name in sidebars. */
  readonly id: string | null
  /** Docusaurus, Starlight, Fern, VitePress: the page's URL, absolute or relative to its folder. */
  readonly slug: string | null
  /** Mintlify: true if the page only links elsewhere or contains an API operation. */
  readonly external: boolean
  /** True if omitted from the navigation on purpose (`hidden`, `draft`, `unlisted`, `orphan`). */
  readonly hidden: boolean
  readonly title: string | null
}

const EMPTY: PageFacts = { id: null, slug: null, external: false, hidden: false, title: null }
const MAX_CHARS = 65_536

/**
 * Reads these facts from a page with LF line endings and no byte order mark. Reads only lines in
 * the form `key: value`.
 */
export function readPageFacts(text: string): PageFacts {
  if (!text.startsWith('---')) return EMPTY
  const { yaml } = splitFrontmatter(text.slice(0, MAX_CHARS))
  if (yaml === null) return EMPTY
  const read = (key: string): string | null => {
    const value = new RegExp(`^${key}[ \\t]{0,20}:[ \\t]{0,20}(.{1,1000})$`, 'm').exec(yaml)?.[1]?.trim()
    if (value === undefined) return null
    const quoted = /^(["'])(.*)\1/.exec(value)?.[2]
    return quoted ?? value.replace(/[ \t]#.*$/, '').trim()
  }
  const isTrue = (key: string) => /^true$/i.test(read(key) ?? '')
  return {
    id: read('id'),
    slug: read('slug'),
    external: read('url') !== null || read('openapi') !== null,
    hidden: isTrue('hidden') || isTrue('draft') || isTrue('unlisted') || isTrue('orphan'),
    title: read('title'),
  }
}
