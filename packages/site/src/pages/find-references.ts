import type { PageLink } from './page-content.ts'

const MAX_REFERENCES = 20_000
/** Matches references to pages: Hugo shortcodes, and the role `doc` of MyST. */
const REFERENCE =
  /\{\{[<%][ \t]{0,20}(?:rel)?ref[ \t]{1,20}["`][^"`\n]{1,500}["`][^{}\n]{0,200}[>%]\}\}|\{doc\}`[^`\n]{1,500}`/g
const CODE_FENCE = /^[ \t]{0,20}(`{3,}|~{3,})/

/** Finds references to pages that are not Markdown links. Ignores those in fenced code. */
export function findReferences(text: string): PageLink[] {
  if (!/\{\{[<%][ \t]*(?:rel)?ref|\{doc\}`/.test(text)) return []
  const links: PageLink[] = []
  let fence: string | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const mark = CODE_FENCE.exec(line)?.[1]
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null
    if (fence !== null || links.length >= MAX_REFERENCES) continue
    for (const [href] of line.matchAll(REFERENCE)) links.push({ kind: 'link', href, line: index + 1 })
  }
  return links
}
