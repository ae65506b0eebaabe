import type { DocSite } from '../model/doc-site.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { insertBlock } from './insert-block.ts'

const KINDS: readonly (readonly [string, DefectKind['group'], string])[] = [
  ['mdx-unclosed', 'core', '<Callout>\n\nThis element is never closed.'],
  ['mdx-mismatched', 'core', '<Callout>\n\nWords.\n\n</Warning>'],
  ['mdx-brace', 'core', 'Use {curly braces here.'],
  ['mdx-less-than', 'core', 'The value is <5 in most cases.'],
  ['mdx-comment', 'core', 'Words before. <!-- a comment -->'],
  ['mdx-attribute', 'core', '<Callout title=unquoted value>Words.</Callout>'],
  ['mdx-expression', 'core', 'The total is {1 +}.'],
  ['mdx-unknown-component', 'more', '<NoSuchComponentHere>Words.</NoSuchComponentHere>'],
]

function listInserted(site: DocSite, random: () => number, words: string): DefectPlace[] {
  const { hasMdxMarkdown, hasNoMdx } = site.layout
  if (hasNoMdx === true) return []
  const pages = site.content.filter(
    ({ path }) => path.endsWith('.mdx') || (hasMdxMarkdown === true && path.endsWith('.md')),
  )
  return pages.map((page) => ({ where: page.path, build: () => insertBlock(page, random, words) }))
}

export const MDX_DEFECTS: readonly DefectKind[] = KINDS.map(([id, group, words]) => ({
  id,
  group,
  list: (site, random) =>
    // Docusaurus accepts HTML comments in `.md` pages.
    id === 'mdx-comment' && site.layout.framework === 'docusaurus' ? [] : listInserted(site, random, words),
}))
