import { findProperty, findText, toProperties } from '../../config/literal.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'
import { buildDraft, buildSite, noteFile, type ReadSite } from '../build-site.ts'
import type { SiteRedirect } from '../site.ts'
import { readSummary } from '../summary.ts'

/** Reads an mdBook site: `book.toml` next to the folder of `SUMMARY.md`. */
export const readMdbook: ReadSite = async (files, config) => {
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
  const redirects = toProperties(table).flatMap(({ key, keyStart, value }): SiteRedirect[] =>
    value.kind === 'string'
      ? [{ file: config, line: files.toLine(book, keyStart), source: key, destination: value.value, pattern: false }]
      : [],
  )
  return buildSite(
    {
      root,
      config,
      content: [{ folder: source, url: '/', kind: 'docs', language: null }],
      publicFolders: [source],
      addresses: book.literal === null ? 'unknown' : 'known',
    },
    draft,
    redirects,
    table === null ? [] : [config],
  )
}
