import type { Scan } from './build-scan.ts'
import { listMacros } from './list-macros.ts'
import { CONTAINER, listMystCode } from './list-myst-code.ts'
import { listShortcodes } from './list-shortcodes.ts'
import { readFenced } from './read-block.ts'

const FENCE = `^${CONTAINER}(?:\`{3,}|~{3,}(?!~))[^\\n\`]*`
const EXEC_FENCE = new RegExp(`${FENCE}\\bexec[ \\t]*=`, 'gim')
const LIVE_FENCE = new RegExp(`${FENCE}[ \\t]live\\b`, 'gim')
const PLANTUML_INCLUDE = /^[ \t>]*!(?:include(?:url|sub|_many|_once)?|import)[ \t]+([^\n]{1,1000})/gim
const INCLUDE_TAG = /\{%-?\s*include(?:[-_]\w+)?\s([^%]+)%\}/g
const MARKDOWN_INCLUDE = /\{!([^!]+)!/g
const SNIPPET = /^[ \t]*-+8<-+[ \t]+["']([^"'\n]{1,1000})["']/gm
const SNIPPET_MARK = /^[ \t]*-+8<-+[ \t]*\r?$/
const VITEPRESS_INCLUDE = /<!--\s*@include:((?:(?!-->|<!--)[\s\S])*)-->/g
const VITEPRESS_SNIPPET = new RegExp(`^${CONTAINER}<<<[ \\t]*([^\\n]{1,1000})`, 'gm')
const MDBOOK_INCLUDE = /\{\{\s*#(?:include|rustdoc_include|playground|template)\s+([^\s}][^}]{0,1000})/g
const MINTLIFY_SNIPPET = /<Snippet\b[^<>]{0,500}?\bfile\s*=\s*\{?\s*["'`]([^"'`\n]{1,1000})/g

/** Plugins that replace macros in pages. */
const MACRO_PLUGINS = ['macros', 'table-reader', 'markdownextradata', 'jinja']
/** A value that MyST inserts, rather than an expression. */
const PLAIN_VALUE = /^\{\{\s*[\w-]+\s*\}\}$/

/** Lists the directives and includes of a page in Markdown, or of a template. */
export function listMarkdownCode(scan: Scan): void {
  const { text, place } = scan
  const { forms, mentions } = place
  const include = (pattern: RegExp, toPath = (href: string): string | null => href) => {
    for (const { 1: href = '', index } of text.matchAll(pattern)) {
      const path = toPath(href.trim())
      if (path !== null) scan.include(index, path)
    }
  }
  const runFence = (pattern: RegExp) => {
    for (const { index } of text.matchAll(pattern))
      scan.run(
        index,
        scan.readBlock(() => readFenced(text, index)),
      )
  }
  if (forms.has('directive')) listMystCode(scan)
  if (mentions('exec')) runFence(EXEC_FENCE)
  if (mentions('live-codeblock')) runFence(LIVE_FENCE)
  if (/plantuml|@startuml|kroki/i.test(text)) include(PLANTUML_INCLUDE)
  if (place.isTemplate || MACRO_PLUGINS.some(mentions)) runMacros(scan)
  else if (mentions('substitution')) runMacros(scan, PLAIN_VALUE)
  if (mentions('include') || forms.has('block')) include(INCLUDE_TAG, toTagPath)
  if (mentions('markdown_include')) include(MARKDOWN_INCLUDE, toOneLine)
  if (forms.has('scissors')) listSnippets(scan)
  if (forms.has('comment')) include(VITEPRESS_INCLUDE, (href) => toOneLine(toVitepressPath(href)))
  if (forms.has('code')) include(VITEPRESS_SNIPPET, toVitepressPath)
  if (forms.has('braces')) include(MDBOOK_INCLUDE, toMdbookPath)
  if (forms.has('snippet')) include(MINTLIFY_SNIPPET)
  if (forms.has('readfile')) listShortcodes(scan)
}

function runMacros(scan: Scan, except?: RegExp): void {
  for (const { source, offset } of listMacros(scan.text)) if (except?.test(source) !== true) scan.run(offset, source)
}

/** Paths of these includes are on one line. */
const toOneLine = (written: string): string | null => (written.includes('\n') ? null : written)

/** Removes the quotes and the values of a tag. */
const toTagPath = (written: string): string => written.replace(/^["']/, '').replace(/["'\n].*$/s, '')

/** Removes the region, the lines and the title from a path. */
const toVitepressPath = (written: string): string => written.replace(/[{[#].*$/s, '').trimEnd()

/** Removes the lines or the anchor, and the values of a template. */
function toMdbookPath(written: string): string {
  const path = written.replace(/(?<!\s)\s+\S+=.*$/s, '')
  const colon = path.indexOf(':', path.lastIndexOf('/') + 1)
  return colon === -1 ? path : path.slice(0, colon)
}

/** Removes the lines or the section from a path. */
const toSnippetPath = (written: string): string =>
  /^[a-z][a-z+.-]*:\/\//i.test(written) ? written : written.replace(/(?::[\w-]*){1,2}$/, '')

/** Lists the snippets of PyMdown, also in blocks of paths. */
function listSnippets(scan: Scan): void {
  for (const { 1: href = '', index } of scan.text.matchAll(SNIPPET)) scan.include(index, toSnippetPath(href.trim()))
  let isOpen = false
  let offset = 0
  for (const row of scan.text.split('\n')) {
    if (SNIPPET_MARK.test(row)) isOpen = !isOpen
    else if (isOpen && row.trim() !== '') scan.include(offset, toSnippetPath(row.trim()))
    offset += row.length + 1
  }
}
