import { joinPath, toFolder } from '../../pages/paths.ts'
import { buildDraft, buildSite, MAX_REDIRECTS, noteFile, type ReadSite } from '../build-site.ts'
import type { SiteRedirect } from '../site.ts'
import { readSummary } from '../summary.ts'

/** Reads an mdBook site: `book.toml` next to the folder of `SUMMARY.md`. */
export const readMdbook: ReadSite = async (files, config) => {
  const book = await files.open(config)
  if (book === null) return null
  const root = toFolder(config)
  const src = /^[ \t]*src[ \t]*=[ \t]*"([^"\n]*)"/m.exec(book.text)?.[1] ?? 'src'
  const source = joinPath(root, src) ?? root
  const summary = await files.open(source === '' ? 'SUMMARY.md' : `${source}/SUMMARY.md`)
  if (summary === null) return null
  const draft = buildDraft(summary.path)
  noteFile(draft, summary)
  readSummary(files, draft, summary, source)
  const redirects: SiteRedirect[] = []
  const table = /^\[output\.html\.redirect\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(book.text)
  const body = table?.[1] ?? ''
  const offset = table === null ? 0 : table.index + table[0].length - body.length
  for (const row of body.matchAll(/^[ \t]*"([^"\n]*)"[ \t]*=[ \t]*"([^"\n]*)"/gm)) {
    const line = files.toLine(book, offset + row.index)
    redirects.push({ file: config, line, source: row[1] ?? '', destination: row[2] ?? '', pattern: false })
    if (redirects.length >= MAX_REDIRECTS) break
  }
  return buildSite(
    {
      root,
      config,
      content: [{ folder: source, url: '/', kind: 'docs', language: null }],
      publicFolders: [source],
      addresses: 'known',
    },
    draft,
    redirects,
    table === null ? [] : [config],
  )
}
