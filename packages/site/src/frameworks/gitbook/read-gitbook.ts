import { findProperty, findText, toProperties } from '../../config/literal.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'
import { buildDraft, buildSite, MAX_REDIRECTS, noteFile, type ReadSite } from '../build-site.ts'
import { readSummary } from '../summary.ts'

/** Reads a GitBook site: `SUMMARY.md`, and `.gitbook.yaml` if it exists. */
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
      root,
      config,
      content: [{ folder: source, url: '/', kind: 'docs', language: null }],
      publicFolders: [source],
      // Each space is served at a different URL.
      addresses: 'unknown',
    },
    draft,
    redirects.slice(0, MAX_REDIRECTS),
    redirects.length > 0 ? [config] : [],
  )
}
