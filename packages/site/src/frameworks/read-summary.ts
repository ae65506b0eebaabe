import { findProperty, findText, toProperties } from '../script/literal.ts'
import type { ConfigFile, ConfigFiles } from '../site/config-files.ts'
import { joinPath, PAGE, toFolder } from '../site/paths.ts'
import type { SiteRedirect } from '../site/site.ts'
import {
  addEntry,
  buildDraft,
  buildSite,
  MAX_REDIRECTS,
  type NavigationDraft,
  noteFile,
  type ReadSite,
} from './build-site.ts'

/** mdBook: `book.toml` beside the folder of `SUMMARY.md`. */
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
      framework: 'mdbook',
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

/** GitBook: `SUMMARY.md`, and `.gitbook.yaml` when there is one. */
export const readGitbook: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const own = file.literal !== null || /\.ya?ml$/.test(config)
  const root = toFolder(config)
  const source = own ? (joinPath(root, findText(file.literal, 'root') ?? '') ?? root) : root
  const name = findText(file.literal, 'structure', 'summary') ?? 'SUMMARY.md'
  const path = own ? joinPath(source, name) : config
  const summary = path === null ? null : await files.open(path)
  const draft = buildDraft(summary?.path ?? config)
  if (own) noteFile(draft, file)
  if (summary === null) draft.mode = 'all'
  else {
    noteFile(draft, summary)
    readSummary(files, draft, summary, toFolder(summary.path))
  }
  const redirects = toProperties(findProperty(file.literal, 'redirects')).flatMap(({ key, keyStart, value }) =>
    value.kind === 'string'
      ? [{ file: config, line: files.toLine(file, keyStart), source: key, destination: value.value, pattern: false }]
      : [],
  )
  return buildSite(
    {
      framework: 'gitbook',
      root,
      config,
      content: [{ folder: source, url: '/', kind: 'docs', language: null }],
      publicFolders: [source],
      // Spaces are served below addresses of their own.
      addresses: 'unknown',
    },
    draft,
    redirects.slice(0, MAX_REDIRECTS),
    redirects.length > 0 ? [config] : [],
  )
}

const LINK =
  /\[((?:[^\]\\\n]|\\.){0,1000})\]\([ \t]{0,20}<?([^)>\s]{1,2000})>?(?:[ \t]+"[^"\n]{0,1000}")?[ \t]{0,20}\)/g

function readSummary(files: ConfigFiles, draft: NavigationDraft, file: ConfigFile, folder: string): void {
  const trail: { readonly indent: number; readonly label: string }[] = []
  let offset = 0
  let heading: string[] = []
  for (const line of file.text.split('\n')) {
    const title = /^#{1,6}[ \t]+(.{1,500}?)[ \t]*$/.exec(line)?.[1]
    if (title !== undefined) heading = [title]
    const indent = line.length - line.trimStart().length
    for (const match of line.slice(0, 10_000).matchAll(LINK)) {
      while ((trail.at(-1)?.indent ?? -1) >= indent) trail.pop()
      const [whole, label = '', target = ''] = match
      const start = offset + match.index + whole.indexOf(target, label.length + 2)
      const path = decode(target.replace(/[?#].*$/, ''))
      const around = [...heading, ...trail.map((group) => group.label)]
      trail.push({ indent, label })
      if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) continue
      const full = joinPath(folder, path.replace(/\/$/, '/README.md'))
      const literal = { kind: 'string' as const, value: target, start, end: start + target.length }
      const candidates = full === null ? [] : [full]
      addEntry(
        files,
        draft,
        { file, literal },
        { trail: [...around, label], candidates, exact: full !== null && PAGE.test(full) },
      )
    }
    offset += line.length + 1
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
