import type { FlagDefinition } from './find-flag-definitions.ts'
import { listPagePaths } from './list-page-paths.ts'
import { callTool, GiveUp, type Plan, toReason } from './plan.ts'
import { viewFile } from './view-files.ts'

/** The page of a flag's command, and whether a row was added to its table of flags. */
export interface FlagRow {
  page: string
  isNew: boolean
}

/** Adds a flag to the table on the page of its command, unless the table already contains it. */
export function* addFlagRow(definition: FlagDefinition): Plan<FlagRow> {
  const { flag, command } = definition
  const page = yield* getCommandPage(command)
  const file = yield* viewFile(page)
  const table = findFlagTable(file?.lines ?? [])
  if (!table) throw new GiveUp(`${page} has no table of flags.`)
  if (table.rows.some((row) => new RegExp(`--${flag}(?![\\w-])`).test(row))) return { page, isNew: false }
  const insert_text = `${toRow(table.columns, definition)}\n`
  const say = `Step: adding --${flag} to the table in ${page}.`
  const inserted = yield* callTool(say, 'insert', { path: page, insert_line: table.lastLine, insert_text })
  if (inserted.isError) throw new GiveUp(`--${flag} could not be added to ${page}: ${toReason(inserted)}`)
  return { page, isNew: true }
}

export function* getCommandPage(command: string): Plan<string> {
  const glob = `**/${command}.{md,mdx}`
  const listed = yield* callTool(`Step: searching for the page of ${command}.`, 'list_files', { glob })
  const pages = listed.isError ? [] : listPagePaths(listed.text, command)
  const [page] = pages
  if (page && pages.length === 1) return page
  throw new GiveUp(
    pages.length === 0
      ? `The documentation has no page named after the command ${command}.`
      : `Several pages have the name of the command ${command}: ${pages.join(', ')}.`,
  )
}

interface FlagTable {
  columns: string[]
  rows: string[]
  /** 1-based. */
  lastLine: number
}

/** Finds the first table whose first column is named "Flag" or "Option". */
export function findFlagTable(lines: readonly string[]): FlagTable | null {
  const head = lines.findIndex(
    (line, index) => /^\|\s*(?:flag|option)s?\s*\|/i.test(line) && /^\|[\s:|-]+$/.test(lines[index + 1] ?? ''),
  )
  if (head < 0) return null
  let end = head + 2
  while (lines[end]?.startsWith('|')) end += 1
  return { columns: toCells(lines[head] ?? ''), rows: lines.slice(head + 2, end), lastLine: end }
}

export const toCells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Fills the columns: the flag first, then its default if there is such a column, then its description. */
function toRow(columns: readonly string[], { flag, description, defaultCode }: FlagDefinition): string {
  const cells = columns.map((column, index) => {
    if (index === 0) return `\`--${flag}\``
    if (/^default$/i.test(column)) return toDefault(defaultCode)
    return index === columns.length - 1 ? description.replaceAll('|', '\\|') : ''
  })
  return `| ${cells.join(' | ')} |`
}

const UNITS: Readonly<Record<string, string>> = { Second: 's', Minute: 'm', Hour: 'h' }

/** Formats a default, such as `2*time.Minute` as `2m`. */
export function toDefault(code: string): string {
  const [, count, unit = ''] = /^(\d+) ?\* ?time\.(\w+)$/.exec(code) ?? []
  if (count && UNITS[unit]) return `\`${count}${UNITS[unit]}\``
  if (code === 'false') return 'off'
  if (code === 'true') return 'on'
  return /^(?:|""|''|nil|null|undefined)$/.test(code) ? 'none' : `\`${code.replace(/^["']|["']$/g, '')}\``
}
