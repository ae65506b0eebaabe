import { buildGlob } from '@corrigenda/git/text'
import type { WorkspaceEntry } from '@corrigenda/git/workspace'
import { formatBytes } from '@corrigenda/git/workspace'
import type { SourceReader } from '../sources/agent-source.ts'
import { defineTool, ToolError } from './tool.ts'
import { getReader, parseFolder } from './tool-path.ts'

const MAX_ROWS = 300

/** Tool that lists folders and files, folders first. */
export const listFiles = defineTool({
  name: 'list_files',
  description:
    'List folders and files, folders first. Without `glob`, it shows `depth` levels below `path`. With `glob`, it lists every matching file below `path`. Returns at most 300 rows; use `offset` for more.',
  kind: 'read',
  async run(context, { path, glob, depth = 2, offset = 0, source }) {
    const workspace = getReader(context, source)
    const folder = parseFolder(path)
    const prefix = folder === '' ? '' : `${folder}/`
    const entries = await workspace.list()
    const below = entries.filter((entry) => entry.path.startsWith(prefix))
    if (below.length === 0 && prefix !== '') throw new ToolError(explainEmpty(entries, folder))
    const rows = glob === undefined ? toTree(below, prefix, depth) : toMatches(below, prefix, glob)
    if (rows.length === 0) return glob === undefined ? 'The repository is empty.' : `No file matches ${glob}.`
    if (offset >= rows.length) throw new ToolError(`offset ${offset} is past the end (${rows.length} rows).`)
    const shown = rows.slice(offset, offset + MAX_ROWS)
    const lines = await Promise.all(shown.map((row) => formatRow(workspace, row)))
    const next = offset + shown.length
    if (next < rows.length || offset > 0) {
      const more = next < rows.length ? ` Narrow \`glob\` or \`path\`, or use offset=${next}.` : ''
      lines.push(`Rows ${offset + 1} to ${next} of ${rows.length}.${more}`)
    }
    return lines.join('\n')
  },
})

type Row = { readonly folder: string; readonly files: number } | { readonly entry: WorkspaceEntry }

function toTree(entries: readonly WorkspaceEntry[], prefix: string, depth: number): Row[] {
  const folders = new Map<string, number>()
  const files: Row[] = []
  for (const entry of entries) {
    const parts = entry.path.slice(prefix.length).split('/')
    for (let level = 1; level <= Math.min(depth, parts.length - 1); level += 1) {
      const folder = `${prefix}${parts.slice(0, level).join('/')}/`
      folders.set(folder, (folders.get(folder) ?? 0) + 1)
    }
    if (parts.length <= depth) files.push({ entry })
  }
  const rows: Row[] = [...folders].map(([folder, count]) => ({ folder, files: count }))
  return [...rows, ...files]
}

function toMatches(entries: readonly WorkspaceEntry[], prefix: string, glob: string): Row[] {
  const matches = buildMatcher(glob)
  return entries.filter((entry) => matches(entry.path.slice(prefix.length))).map((entry) => ({ entry }))
}

/** Builds a glob matcher for plain paths. Throws ToolError for an invalid pattern. */
export function buildMatcher(glob: string): (path: string) => boolean {
  try {
    return buildGlob(glob.replace(/^\.?\//, ''))
  } catch {
    throw new ToolError(`${JSON.stringify(glob)} is not a glob. Use patterns such as "**/*.mdx" or "guides/*.md".`)
  }
}

async function formatRow(workspace: SourceReader, row: Row): Promise<string> {
  if ('folder' in row) return `${row.folder} (${row.files} ${row.files === 1 ? 'file' : 'files'})`
  const { path, kind } = row.entry
  if (kind !== 'file') return `${path} (${kind})`
  return `${path} ${formatBytes((await workspace.read(path)).length)}`
}

function explainEmpty(entries: readonly WorkspaceEntry[], folder: string): string {
  if (entries.some((entry) => entry.path === folder)) return `${folder} is a file. Use view to read it.`
  const name = folder.slice(folder.lastIndexOf('/') + 1).toLowerCase()
  const folders = new Set(
    entries.flatMap(({ path }) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : [])),
  )
  const near = [...folders].filter((other) => other.toLowerCase().split('/').includes(name)).slice(0, 3)
  return `The folder ${folder} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`
}
