import { decodeText, formatBytes, toLines, type Workspace } from '@corrigenda/git/workspace'
import { findContent, findSite } from '@corrigenda/site/frameworks'
import { buildSiteIndex, findEntryPages, isReachable } from '@corrigenda/site/links'
import { PAGE, readPageFacts, splitFrontmatter } from '@corrigenda/site/pages'
import { openSites } from '@corrigenda/site/sites'
import { explainUnreadable } from '../policy/path-policy.ts'
import { defineTool, type ToolContext, ToolError } from './tool.ts'
import { getEntry, getReader, getSource, parsePath } from './tool-path.ts'

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

interface NavPosition {
  /** The navigation file that was read. */
  readonly file: string
  /** Names of the groups that contain the page, or null if the file does not list the page. */
  readonly trail: readonly string[] | null
}

/**
 * Finds a page's position in its site's navigation. Returns null if the site has no navigation or
 * includes the page without listing it, or if the position cannot be determined.
 */
async function findNavPosition(workspace: Workspace, page: string): Promise<NavPosition | null> {
  if (!PAGE.test(page)) return null
  const { sites, paths } = await openSites(workspace)
  const site = findSite(sites, page)
  const [file] = site.navigation.files
  if (file === undefined || findContent(site, page) === null) return null
  const decoded = paths.includes(page) ? decodeText(await workspace.read(page)) : 'binary'
  const facts = typeof decoded === 'string' ? new Map() : new Map([[page, readPageFacts(decoded.text)]])
  const index = buildSiteIndex(sites, paths, facts)
  const entry = site.navigation.entries.find((one) => findEntryPages(index, site, one).paths[0] === page)
  if (entry !== undefined) return { file: entry.file, trail: entry.trail }
  return isReachable(index, site, page) === 'no' ? { file, trail: null } : null
}
