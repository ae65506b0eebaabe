import type { Framework } from '../framework.ts'
import { fromPage } from '../include-paths.ts'
import { toSummaryEntry, toSummaryRoutes } from '../summary.ts'
import { readGitbook } from './read-gitbook.ts'

export const gitbook: Framework = {
  name: 'gitbook',
  title: 'GitBook',
  detections: [
    { config: /(^|\/)\.gitbook\.ya?ml$/, yields: true },
    { config: /(^|\/)book\.json$/, yields: true },
    { config: /(^|\/)SUMMARY\.md$/, yields: true },
  ],
  read: readGitbook,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: 'GitBook: only pages listed in SUMMARY.md are shown.',
  writable: [],
  // HonKit and old versions of GitBook process pages as templates.
  isTemplate: (_, { config }) => config !== null && /(?:^|\/)book\.json$/.test(config),
  notations: ['tag'],
  blocks: ['tags'],
  includes: { block: fromPage },
  toRoutes: toSummaryRoutes,
  toEntry: toSummaryEntry,
  checksAbsoluteLinks: 'images',
  trailingSlash: false,
  linksToFiles: true,
}
