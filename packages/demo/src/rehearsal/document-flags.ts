import { listPages, type PageInfo, toName } from './find-pages.ts'
import {
  buildLineEdit,
  callTool,
  type Ending,
  type Evidence,
  editFiles,
  type Plan,
  plural,
  Question,
  quote,
  searchText,
  toFirstLine,
  toList,
  toText,
  type ViewedFile,
  viewFiles,
} from './plan.ts'
import { replaceText } from './replace-text.ts'

/** A line of code that defines a flag of a command, such as `flags.BoolVar(&x, "json", false, "…")`. */
interface FlagDefinition {
  flag: string
  /** The command that has the flag, after which the file is named. */
  command: string
  description: string
  /** The code between the name and the description, such as `false`; may be empty. */
  defaultCode: string
  source: string
  path: string
  line: number
}

/** Adds a flag to the table on the page of its command. The description is the one in the code. */
export function* documentFlag(flag: string, command: string | null, sources: readonly string[]): Plan<Ending> {
  const defined = (yield* listDefinitions(sources)).filter((one) => one.flag === flag)
  const found = defined.filter((one) => command === null || one.command === command)
  const [definition] = found
  if (!definition) {
    const of = command === null ? '' : ` of ${command}`
    throw new Question(`The code does not define the flag --${flag}${of}.`, defined.map(toPrompt))
  }
  if (found.length > 1) throw new Question(`Which command do you mean? Several have --${flag}:`, found.map(toPrompt))
  const page = (yield* listPages()).find(({ path }) => toName(path) === definition.command)
  const [file] = page ? yield* viewFiles([page.path]) : []
  const table = file && findTable(file.lines)
  if (!page || !table) throw new Question(`No page has a table for the flags of the command ${definition.command}.`)
  if (hasRow(table, flag)) return { outcome: 'no_change', reason: `\`${page.path}\` contains --${flag} already.` }
  yield* viewFiles([definition.path], definition.source)
  yield* addRows(page, table, [definition])
  return {
    outcome: 'changed',
    title: `Document --${flag} of ${definition.command}`,
    body: `Added \`--${flag}\` to the table of flags in \`${page.path}\`. The description is the one in the code.`,
    evidence: [toEvidence(definition, page)],
  }
}

const toPrompt = ({ flag, command }: FlagDefinition): string => `Document the --${flag} flag of the ${command} command`

/**
 * Compares the pages of commands with the code: adds flags that a table lacks, corrects defaults,
 * and renames commands. The recent commits are read for the description of the change only, because an
 * earlier job may have read them without its pull request being merged.
 */
export function* followCode(sources: readonly string[]): Plan<Ending> {
  const subjects: string[] = []
  for (const source of sources) {
    const changes = yield* callTool(`reading the recent changes of ${source}`, 'source_changes', { source })
    for (const [, subject = ''] of changes.text.matchAll(/^[0-9a-f]{7,40} (.+)$/gm)) subjects.push(quote(subject, 100))
  }
  const definitions = yield* listDefinitions(sources)
  const pages = (yield* listPages()).filter(({ path }) => definitions.some(({ command }) => command === toName(path)))
  const done: string[] = []
  const evidence: Evidence[] = []
  for (const file of yield* viewFiles(pages.map(({ path }) => path))) {
    const page = pages.find(({ path }) => path === file.path)
    const table = findTable(file.lines)
    if (!page || !table) continue
    const own = definitions.filter(({ command }) => command === toName(file.path))
    const wrong = own.flatMap((definition) => findWrongDefault(definition, file, table))
    const missing = own.filter(({ flag }) => !hasRow(table, flag))
    if (wrong.length > 0)
      yield* editFiles(
        `correcting defaults in ${file.path}`,
        wrong.map(({ edit }) => edit),
      )
    if (missing.length > 0) yield* addRows(page, table, missing)
    const changed = [...wrong.map(({ definition }) => definition), ...missing]
    evidence.push(...changed.map((definition) => toEvidence(definition, page)))
    done.push(...wrong.map(({ note }) => note))
    done.push(...missing.map(({ flag }) => `Added \`--${flag}\` to the table of flags in \`${file.path}\`.`))
  }
  for (const source of sources) yield* followRenames(source, done, evidence)
  const read = subjects.length === 0 ? null : `Recent commits:\n\n${toList(subjects)}`
  if (done.length === 0) return { outcome: 'no_change', reason: toText(['The pages agree with the code.', read]) }
  return { outcome: 'changed', title: 'Document recent changes', body: toText([toList(done), read]), evidence }
}

/** Renames commands whose code states an earlier name. */
function* followRenames(source: string, done: string[], evidence: Evidence[]): Plan<void> {
  const query = 'command was called [a-z]'
  for (const hit of yield* searchText({ query, mode: 'regex', label: 'earlier names of commands', source })) {
    const from = /was called ([a-z][a-z0-9-]*)/.exec(hit.text)?.[1]
    const [file] = yield* viewFiles([hit.path], source)
    const line = (file?.lines.findIndex((text) => USE.test(text)) ?? -1) + 1
    const to = USE.exec(file?.lines[line - 1] ?? '')?.[1]
    if (!from || !to) continue
    const { edits, summary } = yield* replaceText({ from, to, glob: null, isCommand: true })
    if (edits.length === 0) continue
    done.push(summary)
    const lines = { source, path: hit.path, fromLine: line, toLine: line }
    evidence.push(...edits.map(({ path }) => ({ page: path, ...lines, note: `Defines the command ${to}.` })))
  }
}

const USE = /\b(?:Use:\s*|command\(\s*)["'`]([a-z][a-z0-9-]*)/

/** Lists the flags that the code defines on one line with a description, except in tests. */
function* listDefinitions(sources: readonly string[]): Plan<FlagDefinition[]> {
  if (sources.length === 0)
    throw new Question('The project has no source with the code. Add one in the project settings.')
  const query = '(flags?|Flags\\(\\))\\.\\w+\\(|\\.option\\(|add_argument\\('
  const definitions: FlagDefinition[] = []
  for (const source of sources) {
    for (const { path, line, text } of yield* searchText({
      query,
      mode: 'regex',
      label: 'definitions of flags',
      source,
    })) {
      const [, flag, defaultCode = '', description] =
        /["'`](?:-\w,? )?(?:--)?([a-z][a-z0-9-]+)[^"'`]*["'`],?\s*(.*?),?\s*["'`]([^"`]*\w \w[^"`]*)["'`]/.exec(text) ??
        []
      if (!flag || !description || /(^|[/._-])tests?[/._-]/.test(path)) continue
      definitions.push({ flag, command: toCommand(path), description, defaultCode, source, path, line })
    }
  }
  return definitions
}

const toCommand = (path: string): string => path.replace(/^.*\//, '').replace(/\..*$/, '')

const toEvidence = ({ flag, command, source, path, line }: FlagDefinition, page: PageInfo): Evidence => ({
  page: page.path,
  source,
  path,
  fromLine: line,
  toLine: line,
  note: `Defines --${flag} of ${command} and its description.`,
})

interface FlagTable {
  columns: string[]
  rows: string[]
  /** 1-based. */
  lastLine: number
}

/** Finds the first table whose first column is named "Flag" or "Option". */
function findTable(lines: readonly string[]): FlagTable | null {
  const head = lines.findIndex((line) => /^\|\s*(?:flag|option)s?\s*\|/i.test(line))
  if (head < 0) return null
  let end = head + 2
  while (lines[end]?.startsWith('|')) end += 1
  return { columns: toCells(lines[head] ?? ''), rows: lines.slice(head + 2, end), lastLine: end }
}

const toCells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const hasRow = ({ rows }: FlagTable, flag: string): boolean =>
  rows.some((row) => new RegExp(`--${flag}(?![\\w-])`).test(row))

function* addRows(page: PageInfo, table: FlagTable, definitions: readonly FlagDefinition[]): Plan<void> {
  const rows = definitions.map(({ flag, defaultCode, description }) => {
    const cells = table.columns.map((column, index) => {
      if (index === 0) return `\`--${flag}\``
      if (/^default$/i.test(column)) return toDefault(defaultCode)
      return index === table.columns.length - 1 ? description.replaceAll('|', '\\|') : ''
    })
    return `| ${cells.join(' | ')} |\n`
  })
  const input = { path: page.path, insert_line: table.lastLine, insert_text: rows.join('') }
  const inserted = yield* callTool(`adding ${plural(rows.length, 'row')} to the table in ${page.path}`, 'insert', input)
  if (inserted.isError) throw new Question(`${page.path} could not be changed: ${toFirstLine(inserted)}`)
}

/** Returns a correction if the table has another value than the code. */
function findWrongDefault(definition: FlagDefinition, file: ViewedFile, { columns }: FlagTable) {
  const right = toDefault(definition.defaultCode)
  const column = columns.findIndex((name) => /^default$/i.test(name))
  const index = file.lines.findIndex((line) => line.startsWith(`| \`--${definition.flag}\` |`))
  const line = file.lines[index] ?? ''
  const now = toCells(line)[column]
  if (index < 0 || !now || !/^`.+`$/.test(now) || !/^`.+`$/.test(right) || now === right) return []
  const edit = buildLineEdit(file, index + 1, line.replace(`| ${now} |`, `| ${right} |`))
  const note = `The default of \`--${definition.flag}\` in \`${file.path}\` is now ${right} instead of ${now}, as in the code.`
  return [{ definition, edit, note }]
}

const UNITS: Readonly<Record<string, string>> = { Second: 's', Minute: 'm', Hour: 'h' }

/** Formats a default, such as `2*time.Minute` as `2m`. */
function toDefault(code: string): string {
  const [, count, unit = ''] = /^(\d+) ?\* ?time\.(\w+)$/.exec(code) ?? []
  if (count && UNITS[unit]) return `\`${count}${UNITS[unit]}\``
  if (code === 'false' || code === 'true') return code === 'true' ? 'on' : 'off'
  return /^(?:|""|''|0|nil|null|undefined)$/.test(code) ? 'none' : `\`${code.replace(/^["']|["']$/g, '')}\``
}
