import type { Framework } from '../framework.ts'
import { fromPage } from '../include-paths.ts'
import { toSummaryEntry, toSummaryRoutes } from '../summary.ts'
import { mdbookIds } from './mdbook-ids.ts'
import { readMdbook } from './read-mdbook.ts'

export const mdbook: Framework = {
  name: 'mdbook',
  title: 'mdBook',
  detections: [{ config: /(^|\/)book\.toml$/ }],
  read: readMdbook,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: 'mdBook: only pages listed in SUMMARY.md are built.',
  writable: [],
  includes: { braces: fromPage },
  toRoutes: toSummaryRoutes,
  toEntry: toSummaryEntry,
  headingIds: mdbookIds,
  checksAbsoluteLinks: false,
  convertsAllLinks: true,
  trailingSlash: false,
}
