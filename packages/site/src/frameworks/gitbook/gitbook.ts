import { findProperty, findText } from '../../config/literal.ts'
import { joinPath, PAGE, toFolder, toName } from '../../pages/paths.ts'
import { buildDraft, buildSite, type NavigationDraft, noteFile, type ReadSite, toRedirects } from '../build-site.ts'
import type { Framework } from '../framework.ts'
import { fromPage } from '../reference-rules.ts'
import { readSummary, toSummaryEntry, toSummaryRoutes } from '../summary.ts'

const SUMMARY = 'SUMMARY.md'

/** Reads a GitBook site: `SUMMARY.md`, and `.gitbook.yaml` or `book.json` if it exists. */
const readGitbook: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const own = file.literal !== null || /\.ya?ml$/.test(config)
  const root = toFolder(config)
  const source = own ? (joinPath(root, findText(file.literal, 'root') ?? '') ?? root) : root
  const name = findText(file.literal, 'structure', 'summary') ?? SUMMARY
  const path = own ? joinPath(source, name) : config
  const summary = path === null ? null : await files.open(path)
  // Other tools also have a file with this name.
  if (summary === null && toName(config) === 'book.json') return null
  const draft = buildDraft(summary?.path ?? config)
  if (own) noteFile(draft, file)
  if (summary === null) {
    // The configuration then has no pages of its own: every `SUMMARY.md` below it is a space.
    if (files.below(source).some((file) => toName(file) === SUMMARY)) return null
    draft.mode = 'all'
  } else {
    noteFile(draft, summary)
    readSummary(files, draft, summary, toFolder(summary.path), source)
    if (!own && !listsPages(draft)) return null
  }
  const redirects = toRedirects(files, file, findProperty(file.literal, 'redirects'))
  return buildSite(
    {
      root,
      config,
      content: [{ folder: source, url: '/', kind: 'docs', language: null }],
      ignored: [{ folder: source, patterns: ['.gitbook/'] }],
      publicFolders: [source],
      // Each space is served at a different URL.
      addresses: 'unknown',
    },
    draft,
    redirects,
    redirects.length > 0 ? [config] : [],
  )
}

/** Returns true if most entries name Markdown files, so that the file is a navigation. */
function listsPages({ entries }: NavigationDraft): boolean {
  return entries.filter(({ page }) => PAGE.test(page.replace(/[?#].*$/s, ''))).length * 2 > entries.length
}

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
  notations: { tag: 'link', block: fromPage },
  blocks: ['tags'],
  toRoutes: toSummaryRoutes,
  toEntry: toSummaryEntry,
  checksAbsoluteLinks: 'images',
  trailingSlash: false,
  linksToFiles: true,
  redirectNames: 'path',
  bareLinks: 'none',
  publishesListed: true,
}
