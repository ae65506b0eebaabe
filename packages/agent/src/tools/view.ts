import { decodeText, formatBytes, toLines } from '@corrigenda/git/workspace'
import { splitFrontmatter } from '@corrigenda/site/pages'
import { explainUnreadable } from '../policy/path-policy.ts'
import { findNavPosition } from './find-nav-position.ts'
import { getReader, getSource } from './get-source.ts'
import { defineTool, type ToolContext, ToolError } from './tool.ts'
import { getEntry, parsePath } from './tool-path.ts'

const MAX_LINES = 600
const MAX_CHARS = 24_576

/** Tool that shows one file with line numbers. */
export const view = defineTool({
  name: 'view',
  description:
    'Read a file. Each line starts with its number and a tab, which are not part of the file. Returns at most 600 lines or 24 KB; use `view_range` for the rest.',
  kind: 'read',
  async run(context, input) {
    const path = parsePath(input.path)
    const { source } = input
    if (source === undefined && !context.policy.isReadable(path)) throw new ToolError(explainUnreadable(path))
    const workspace = getReader(context, source)
    const entry = await getEntry(workspace, path)
    if (entry.kind === 'submodule') return `${path} is a submodule; its content is in another repository.`
    const bytes = await workspace.read(path)
    const file = decodeText(bytes)
    if (typeof file === 'string') {
      const what = file === 'binary' ? `a binary file${toType(path)}` : 'text, but not encoded in UTF-8'
      return `${path} is ${what}, ${formatBytes(bytes.length)}. It cannot be shown.`
    }
    if (entry.kind !== 'file')
      return `${path} is ${entry.kind === 'lfs' ? 'an LFS pointer' : 'a symbolic link'}:\n${file.text}`
    const lines = toLines(file.text)
    const header =
      source === undefined
        ? await toHeader(context, path, file.text, lines.length)
        : `${path}: ${countLines(lines.length)}; source ${getSource(context, source).name}`
    if (lines.length === 0) return header
    const [first, last] = toRange(input.view_range, lines.length)
    return `${header}\n${formatLines(lines, first, last)}`
  },
})

function toRange(range: readonly number[] | undefined, total: number): [first: number, last: number] {
  const [first = 1, end = -1] = range ?? []
  const last = end === -1 ? total : Math.min(end, total)
  if (first < 1) throw new ToolError(`Lines are numbered from 1 to ${total}.`)
  if (first > total) throw new ToolError(`Start ${first} is past the end (${total} lines).`)
  if (last < first) throw new ToolError(`The range ends (${end}) before it starts (${first}).`)
  return [first, last]
}

function formatLines(lines: readonly string[], first: number, last: number): string {
  const rows: string[] = []
  let size = 0
  for (let number = first; number <= last; number += 1) {
    const line = lines[number - 1] ?? ''
    const row = `${number}\t${line}`
    size += row.length + 1
    if (rows.length === MAX_LINES || (size > MAX_CHARS && rows.length > 0)) {
      rows.push(`[lines ${number} to ${last} are omitted; use view_range [${number}, ${last}]]`)
      return rows.join('\n')
    }
    rows.push(row.length > MAX_CHARS ? `${row.slice(0, MAX_CHARS)}… [line cut, ${line.length} characters]` : row)
  }
  return rows.join('\n')
}

async function toHeader(context: ToolContext, path: string, text: string, total: number): Promise<string> {
  const parts = [`${path}: ${countLines(total)}`]
  const title = /^title:[ \t]*(.+)$/m.exec(splitFrontmatter(text).yaml ?? '')?.[1]?.trim()
  if (title !== undefined) parts.push(`title ${title.slice(0, 200)}`)
  const position = await findNavPosition(context.workspace, path)
  if (position !== null) {
    parts.push(
      position.trail === null ? `not in ${position.file}` : `in ${[position.file, ...position.trail].join(' > ')}`,
    )
  }
  return parts.join('; ')
}

const countLines = (total: number): string => `${total} ${total === 1 ? 'line' : 'lines'}`

function toType(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]
  return extension === undefined ? '' : ` (${extension})`
}
