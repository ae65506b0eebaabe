import type { ConfigFile, ConfigFiles } from '../../config/config-files.ts'
import { dropExtension, joinPath, PAGE, toFolder } from '../../pages/paths.ts'
import { addEntry, addGenerated, type NavigationDraft, noteFile } from '../build-site.ts'

const MYST = /^[ \t]*(`{3,}|:{3,})\{toctree\}/
const RST = /^([ \t]*)\.\.[ \t]+toctree::/
const FENCE = /^[ \t]*(`{3,}|~{3,}(?!~))([^`]*)$/
/** Directives whose text is parsed as Markdown. */
const PARSED = /^\{(?!code|literal|sourcecode|parsed-literal)/
const SUFFIXES = ['.md', '.rst', '.ipynb', '.txt']

/** Where the pages of a project are. */
interface SphinxPages {
  readonly source: string
  /** Suffixes of page files, in addition to the usual ones. */
  readonly suffixes: readonly string[]
}

interface Line {
  readonly text: string
  readonly start: number
}

/**
 * Reads the `toctree` directives of a page, in MyST (```` ```{toctree} ````) or reStructuredText
 * (`.. toctree::`), as navigation entries. A name is relative to the page's folder, or to the
 * source folder if it starts with a slash.
 */
export function readToctrees(files: ConfigFiles, draft: NavigationDraft, file: ConfigFile, pages: SphinxPages): void {
  if (!/toctree(?:\}|::)/.test(file.text)) return
  const isRst = file.path.endsWith('.rst')
  let close: ((line: string) => boolean) | null = null
  const fences: { readonly marks: string; readonly isCode: boolean }[] = []
  let offset = 0
  for (const text of file.text.split('\n')) {
    const line = { text, start: offset }
    offset += text.length + 1
    const opened: string | undefined = (isRst ? RST : MYST).exec(text)?.[1]
    if (close?.(text) === true) close = null
    else if (close !== null) {
      addLine(files, draft, { file, line, pages })
      continue
    }
    if (!isRst && close === null) trackFence(fences, text)
    if (opened === undefined || fences.at(-1)?.isCode === true) continue
    noteFile(draft, file)
    close = isRst
      ? (row) => row.trim() !== '' && row.length - row.trimStart().length <= opened.length
      : (row) => row.trim().startsWith(opened)
  }
}

/** Keeps the open fences of a page, so that directives in code examples are not read. */
function trackFence(fences: { readonly marks: string; readonly isCode: boolean }[], text: string): void {
  const [, marks, info = ''] = FENCE.exec(text) ?? []
  if (marks === undefined) return
  const last = fences.at(-1)
  if (last !== undefined && info.trim() === '' && marks.startsWith(last.marks)) fences.pop()
  else if (last?.isCode !== true) fences.push({ marks, isCode: !PARSED.test(info.trim()) })
}

function addLine(
  files: ConfigFiles,
  draft: NavigationDraft,
  { file, line, pages }: { readonly file: ConfigFile; readonly line: Line; readonly pages: SphinxPages },
): void {
  const text = line.text.trim()
  const [, title = '', named] = /^([^<]{0,500}[ \t])<([^>]{1,1000})>$/.exec(text) ?? []
  const page = named ?? text
  // Options are `:name: value` lines, or `name: value` lines between `---` lines.
  if (page === '' || page.length > 1_000 || page === 'self' || /^:|^#|^---$|^[a-z][a-z0-9+.-]*:|^\/\//i.test(page))
    return
  const folder = page.startsWith('/') ? pages.source : toFolder(file.path)
  const full = joinPath(folder, page)
  if (full === null) return
  if (/[*?[]/.test(page)) {
    addGenerated(draft, toFolder(full.replace(/[*?[].*$/s, '')))
    return
  }
  const start = line.start + line.text.lastIndexOf(page)
  const literal = { kind: 'string' as const, value: page, start, end: start + page.length }
  const stem = PAGE.test(full) || /\.(?:rst|ipynb|txt)$/.test(full) ? dropExtension(full).replace(/\.\w+$/, '') : full
  const candidates = [...new Set([full, ...[...SUFFIXES, ...pages.suffixes].map((suffix) => `${stem}${suffix}`)])]
  addEntry(files, draft, { file, literal }, { trail: title === '' ? [] : [title.trim()], candidates })
}
