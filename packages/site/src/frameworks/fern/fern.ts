import type { Framework } from '../framework.ts'
import { toRelativeEntry } from '../to-relative-entry.ts'
import { readFern } from './read-fern.ts'

export const fern: Framework = {
  name: 'fern',
  title: 'Fern',
  detections: [{ config: /(^|\/)fern\/docs\.ya?ml$/ }],
  read: readFern,
  dialects: { mdx: 'mdx', md: 'mdx', words: 'MDX, including .md files' },
  rule: null,
  hasMath: true,
  writable: ['docs.{yml,yaml}', '**/fern/docs.{yml,yaml}'],
  isCodeSetting: (key) =>
    /^(?:js|css|analytics|integrations|experimental|header|footer|mdx-components)(?:\.|$)/.test(key),
  // URLs derive from section titles and slugs, except for pages that set a slug.
  toRoutes: ({ facts }) => (facts?.slug == null ? [] : [facts.slug]),
  toEntry: toRelativeEntry,
  checksAbsoluteLinks: 'images',
  requiresFrontmatter: true,
  publishesListed: true,
}
