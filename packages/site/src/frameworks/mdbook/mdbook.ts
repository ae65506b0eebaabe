import type { ConfigFile } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toProperties } from '../../config/literal.ts'
import { findLine, isLineStart } from '../../edit/locate.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'
import type { Splice } from '../../workspace/text-file.ts'
import { buildDraft, buildSite, noteFile, type ReadSite, toRedirects } from '../build-site.ts'
import type { Framework, RedirectNames } from '../framework.ts'
import type { HeadingIds } from '../heading-ids.ts'
import { fromPage } from '../reference-rules.ts'
import { readSummary, toSummaryEntry, toSummaryRoutes } from '../summary.ts'

/** Reads an mdBook site: `book.toml` next to the folder of `SUMMARY.md`. */
const readMdbook: ReadSite = async (files, config) => {
  const book = await files.open(config)
  if (book === null) return null
  const root = toFolder(config)
  const source = joinPath(root, findText(book.literal, 'book', 'src') ?? 'src') ?? root
  const summary = await files.open(source === '' ? 'SUMMARY.md' : `${source}/SUMMARY.md`)
  if (summary === null) return null
  const draft = buildDraft(summary.path)
  noteFile(draft, summary)
  if (book.fault !== null) draft.faults.push(book.fault)
  readSummary(files, draft, summary, source)
  const table = findProperty(book.literal, 'output', 'html', 'redirect')
  return buildSite(
    {
      root,
      config,
      content: [{ folder: source, url: '/', kind: 'docs', language: null }],
      publicFolders: [source],
      addresses: book.literal === null ? 'unknown' : 'known',
    },
    draft,
    toRedirects(files, book, table),
    table === null ? [] : [config],
  )
}

const mdbookIds: HeadingIds = {
  // The rules of `normalize_id` in mdBook.
  toSlug: (text) =>
    text
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
      .toLowerCase(),
  separator: '-',
  firstNumber: 1,
  explicit: { toMark: (id) => `{#${id}}` },
}

export const mdbook: Framework = {
  name: 'mdbook',
  title: 'mdBook',
  detections: [{ config: /(^|\/)book\.toml$/ }],
  read: readMdbook,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: 'mdBook: only pages listed in SUMMARY.md are built.',
  writable: [],
  notations: { braces: fromPage },
  // `README.md` becomes `index.html`.
  toRoutes: (page) => [...toSummaryRoutes(page), page.route.replace(/(^|\/)readme$/i, '$1index')],
  generatedUrls: /^\/(?:index|print|404|toc)(?:\.html)?\/$/,
  toEntry: toSummaryEntry,
  headingIds: mdbookIds,
  checksAbsoluteLinks: false,
  convertsAllLinks: true,
  trailingSlash: false,
  redirectNames: 'relative',
  bareLinks: 'none',
  publishesListed: true,
  redirects: { findList, add: addRedirect },
}

function findList({ literal }: ConfigFile): Literal | null {
  return findProperty(literal, 'output', 'html', 'redirect')
}

/** Adds a line to the end of the table. */
function addRedirect(file: ConfigFile, { source, destination }: RedirectNames): Splice[] | null {
  const last = toProperties(findList(file)).at(-1)
  if (last === undefined || !isLineStart(file.text, last.keyStart)) return null
  const { end } = findLine(file.text, last.value.end)
  return [{ start: end, end, replacement: `\n${JSON.stringify(source)} = ${JSON.stringify(destination)}` }]
}
