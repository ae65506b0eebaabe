import { dropExtension, isBelow, PAGE, toFolder, toInner, toRelative } from '../../pages/paths.ts'
import { blur, buildDraft, buildSite, type ReadSite } from '../build-site.ts'
import type { Framework } from '../framework.ts'
import { isIgnored } from '../is-ignored.ts'
import { fromDocument, fromDocumentName } from '../reference-rules.ts'
import { readToctrees } from './read-toctrees.ts'

/** Extensions that read Markdown. Without one, a project has no Markdown pages. */
const MARKDOWN = /^(?:myst_parser|myst_nb|recommonmark|sphinx_markdown_parser)/
/** Matches the suffixes of pages that the configuration names. */
const SUFFIX = /["'](\.[A-Za-z]\w{1,9})["']/g
/** Maximum number of pages whose `toctree` directives are read. */
const MAX_PAGES = 1_000

/**
 * Reads a Sphinx project with Markdown pages: the literal assignments in `conf.py`, which is not
 * run, and the `toctree` directives of its pages. Extensions and the server determine URLs, so they
 * are not modeled.
 */
const readSphinx: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null || !readPythonStrings(file.text, 'extensions').some((name) => MARKDOWN.test(name))) return null
  const root = toFolder(config)
  const excluded = ['_build', '.*', ...readPythonStrings(file.text, 'exclude_patterns')]
  const folders = [
    ...readPythonStrings(file.text, 'templates_path'),
    ...readPythonStrings(file.text, 'html_static_path'),
  ]
  const ignored = [
    { folder: root, patterns: [...excluded, ...folders].map((pattern) => `/${pattern.replace(/^\/+/, '')}`) },
  ]
  const draft = buildDraft(config)
  // The root page is in no `toctree`.
  const [main = 'index'] = [...readPythonStrings(file.text, 'root_doc'), ...readPythonStrings(file.text, 'master_doc')]
  draft.omitted.push(`/${main}.md`)
  const suffixes = [...new Set(Array.from(file.text.matchAll(SUFFIX), ([, suffix = '']) => suffix))]
  const pages = files.paths.filter(
    (path) => /\.(?:md|rst)$/.test(path) && isBelow(path, root) && !isIgnored({ ignored }, path),
  )
  if (pages.length > MAX_PAGES) blur(draft)
  for (const path of pages.slice(0, MAX_PAGES)) {
    const page = await files.open(path)
    if (page !== null) readToctrees(files, draft, page, { source: root, suffixes })
  }
  // Pages are added to a `toctree`, not to `conf.py`.
  draft.files.push(...draft.files.splice(0, 1))
  // Without a `toctree`, an extension builds the navigation.
  if (draft.entries.length === 0) blur(draft)
  return buildSite(
    {
      root,
      config,
      content: [{ folder: root, url: '/', kind: 'docs', language: null }],
      ignored,
      publicFolders: [root],
      addresses: 'unknown',
    },
    draft,
  )
}

const TOKEN = /#[^\n]*|[rRuUbBfF]{0,2}("""|'''|"|')|[[\](){}]|\n/g

/**
 * Returns the strings in the last assignment of a name at the start of a line: `name = "a"` or
 * `name = ["a", "b"]`. Returns an empty list if it is absent. Runs no code and skips everything
 * but strings.
 */
export function readPythonStrings(text: string, name: string): string[] {
  const assignment = [...text.matchAll(new RegExp(`^${name}[ \\t]{0,20}(?::[^=\\n]{0,200})?=`, 'gm'))].at(-1)
  if (assignment === undefined) return []
  const strings: string[] = []
  const token = new RegExp(TOKEN)
  token.lastIndex = assignment.index + assignment[0].length
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found, quote] = match
    if (quote !== undefined) {
      const end = findEnd(text, token.lastIndex, quote)
      if (end === null) break
      strings.push(text.slice(token.lastIndex, end))
      token.lastIndex = end + quote.length
    } else if (/[[({]/.test(found)) depth += 1
    else if (/[\])}]/.test(found)) depth -= 1
    else if (found === '\n' && depth <= 0) break
  }
  return strings
}

/** Returns the offset of a string's closing quote, or null if the string is not closed. */
function findEnd(text: string, start: number, quote: string): number | null {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text.startsWith(quote, at)) return at
    else if (text[at] === '\n' && quote.length === 1) return null
  }
  return null
}

export const sphinx: Framework = {
  name: 'sphinx',
  title: 'Sphinx',
  detections: [{ config: /(^|\/)conf\.py$/ }],
  read: readSphinx,
  dialects: { mdx: 'mdx', md: 'plain', words: 'MyST Markdown' },
  rule: 'Sphinx: a toctree entry is the path of the page without its extension.',
  writable: [],
  isTemplate: (path) => /(?:^|\/)_?templates\//.test(path),
  notations: { doc: fromDocumentName, label: 'label', asset: fromDocument, directive: fromDocument },
  ownScheme: /^(?:project|path):(?!\/\/)/,
  hides: ['percent'],
  blocks: ['colons'],
  toRoutes: () => [],
  toEntry({ site, like, page }) {
    if (!isBelow(page, site.root)) return null
    const path = like.page.startsWith('/') ? `/${toInner(page, site.root)}` : toRelative(toFolder(like.file), page)
    return PAGE.test(like.page) ? path : dropExtension(path)
  },
  checksAbsoluteLinks: 'images',
  sharesAnchors: true,
  templatesAreText: true,
}
