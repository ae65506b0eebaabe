import { isBelow, toFolder } from '../../pages/paths.ts'
import { blur, buildDraft, buildSite, type ReadSite } from '../build-site.ts'
import { isIgnored } from '../is-ignored.ts'
import { readPythonStrings } from './read-python-strings.ts'
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
export const readSphinx: ReadSite = async (files, config) => {
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
