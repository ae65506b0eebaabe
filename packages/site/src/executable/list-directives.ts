import { findIncludes } from '../pages/find-includes.ts'
import type { IncludeForm } from '../pages/include-form.ts'
import { joinPath, toFolder } from '../pages/paths.ts'
import { buildLineFinder, type PageCode } from './page-code.ts'

/** What a page's directives may refer to. */
export interface DirectivePlace {
  readonly path: string
  /** The folder that included files must be in; '' for the whole repository. */
  readonly root: string
  /** Folders that a path with a leading slash, or without dots, can also refer to. */
  readonly folders: readonly string[]
  /** Notations of the page's framework for including files. */
  readonly forms: ReadonlySet<IncludeForm>
  /** True if the site's configuration contains a word. */
  mentions(word: string): boolean
  /** True if a regular file with this path exists. */
  exists(path: string): boolean
}

const RUNS = 'raw|eval-rst|code-cell|exec(?:[_-]\\w+)?|jupyter-execute|ipython|program-output|command-output|plot'
const RST_RUNS = new RegExp(`^[ \\t]*\\.\\.[ \\t]+(?:[^\\n:]{0,100}[ \\t])?(?:${RUNS}|eval|exec)::`, 'gim')
const RST_ROLE = /^[ \t]*\.\.[ \t]+role::[^\n]{0,200}\([ \t]*raw[ \t]*\)/gim
const RST_INCLUDE = /^[ \t]*(?:\.\.[ \t]+(?:include|literalinclude)::|:(?:file|url):)[ \t]+([^\n]{1,500})$/gim
const ADOC_RUNS = /^\+{4,}[ \t]*$|\bpass:[\w,]{0,50}\[|^\[pass\b|^:docinfo\d?:|\+\+\+[^+\n]/gim
const ADOC_INCLUDE = /^(?:include::|:(?:docinfodir|includedir):[ \t]*)([^[\n]{1,500})/gim
const MYST_RUNS = new RegExp(`^[ \\t>]*(?:\`{3,}|:{3,}|~{3,})\\{(?:${RUNS})\\}[^\\n]*`, 'gim')
const MYST_FILE = /^[ \t>]*:(?:file|url):[ \t]+([^\n]{1,500})$/gim
const EXEC_FENCE = /^[ \t>]*(?:`{3,}|~{3,})[^\n`]{0,200}\bexec[ \t]*=[^\n]{0,200}/gim
const MACRO = /\{\{[\s\S]{1,2000}?\}\}|\{%[\s\S]{1,2000}?%\}/g
const SNIPPET_URL = /^[ \t]*-{1,9}8<-{1,9}[ \t]+["']?([a-z][a-z+.-]*:[^"'\n]{1,500})/gim
const INCLUDE_TAG = /\{%[ \t-]*include(?:[-_]\w+)?[ \t]+["']([^"'\n]{1,500})["'][^%\n]{0,500}%\}/g

/**
 * Lists the directives of a page that run code, insert text without processing it, or include files
 * from outside the documentation. Examples in code blocks are also listed, because a block can end
 * earlier than it seems to.
 */
export function listDirectives(text: string, place: DirectivePlace): PageCode[] {
  const found: PageCode[] = []
  const run = (pattern: RegExp) => {
    const toLine = buildLineFinder(text)
    for (const { 0: source, index } of text.matchAll(pattern))
      found.push({ kind: 'directives', line: toLine(index), source: source.trim() })
  }
  const include = (href: string, line: number) => {
    if (!isInside(href.trim(), place)) found.push({ kind: 'includes', line, source: toSource(href.trim(), place) })
  }
  const includeAll = (pattern: RegExp) => {
    const toLine = buildLineFinder(text)
    for (const { 1: href = '', index } of text.matchAll(pattern)) include(href, toLine(index))
  }
  if (/\.rst$/i.test(place.path)) {
    for (const pattern of [RST_RUNS, RST_ROLE]) run(pattern)
    includeAll(RST_INCLUDE)
    return found
  }
  if (/\.adoc$/i.test(place.path)) {
    run(ADOC_RUNS)
    includeAll(ADOC_INCLUDE)
    return found
  }
  if (place.forms.has('directive')) {
    run(MYST_RUNS)
    includeAll(MYST_FILE)
  }
  if (place.mentions('exec')) run(EXEC_FENCE)
  if (place.mentions('macros')) run(MACRO)
  if (place.mentions('include')) includeAll(INCLUDE_TAG)
  if (place.forms.has('scissors')) includeAll(SNIPPET_URL)
  for (const { form, href, line } of findIncludes(text, () => false)) {
    if (form !== undefined && place.forms.has(form)) include(href, line)
  }
  return found
}

const toSource = (href: string, { path }: DirectivePlace): string => joinPath(toFolder(path), href) ?? href

/** Returns true if an included path is a visible file of the documentation. */
function isInside(href: string, { path, root, folders, exists }: DirectivePlace): boolean {
  if (/^[a-z][a-z+.-]*:|[\\$!{}<>*]/i.test(href)) return false
  const inner = href.replace(/^(?:@\/|\/+)/, '')
  const bases = /^(?:@\/|\/)/.test(href) ? folders : [toFolder(path), ...folders]
  return bases.some((folder) => {
    const target = joinPath(folder, inner)
    if (target === null || target.split('/').some((part) => part.startsWith('.'))) return false
    return (root === '' || target.startsWith(`${root}/`)) && exists(target)
  })
}
