import path from 'node:path'
import { z } from 'zod'
import { QA_FOLDER, readYaml } from '../../read-yaml.ts'
import { AREAS, type FaultRow } from './fault-row.ts'

const CodeTexts = z.strictObject({
  meaning: z.string(),
  remedy: z.string(),
  /** More facts and remedies, listed below the table. */
  details: z.string().optional(),
})

/** The explanations of the failure codes, in sections. */
export const CODE_AREAS = readYaml(
  path.join(QA_FOLDER, 'faults/codes.yaml'),
  z.array(z.strictObject({ heading: z.string(), codes: z.record(z.string(), CodeTexts) })),
)

/** Maximum length of a table cell, in characters. */
const MAX_CELL = 90

type Cells = readonly string[]

/**
 * Returns docs/failures.md with its generated parts replaced.
 * @throws Error if a marker is missing
 */
export function updateDocument(text: string): string {
  const parts = { faults: formatFaults(), codes: formatCodes() }
  return Object.entries(parts).reduce((document, [name, part]) => {
    const begin = `<!-- generated: ${name}, by "pnpm qa failures --update" -->\n`
    const end = `<!-- end of ${name} -->\n`
    const from = document.indexOf(begin)
    const to = document.indexOf(end)
    if (from === -1 || to < from) throw new Error(`The document has no markers for ${name}.`)
    return `${document.slice(0, from + begin.length)}\n${part}\n\n${document.slice(to)}`
  }, text)
}

function formatFaults(): string {
  const sections = AREAS.map(({ heading, notes, rows }) => {
    const completed = rows.filter((row) => row.expect.code === null)
    const failed = rows.filter((row) => row.expect.code !== null)
    return [
      `## ${heading}`,
      ...notes,
      'The job completes after these faults:',
      formatTable(['Row', 'Fault', 'What Corrigenda does'], completed.map(toCells)),
      'The job fails after these faults:',
      formatTable(
        ['Row', 'Fault', 'What Corrigenda does', 'Failure code', 'Retry the job?'],
        failed.map((row) => [...toCells(row), `\`${row.expect.code}\``, row.advice ?? '']),
      ),
    ].join('\n\n')
  })
  return sections.join('\n\n')
}

const toCells = ({ id, title, reaction }: FaultRow): Cells => [`\`${id}\``, capitalize(title), reaction]

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function formatCodes(): string {
  const sections = CODE_AREAS.map((area) => {
    const codes = Object.entries(area.codes)
    const rows = codes.map(([code, { meaning, remedy }]) => [`\`${code}\``, meaning, remedy])
    const details = codes.flatMap(([code, texts]) => (texts.details ? [`- \`${code}\`: ${texts.details}`] : []))
    return [`### ${area.heading}`, formatTable(['Code', 'Meaning', 'What to do'], rows), details.join('\n')]
      .filter((part) => part !== '')
      .join('\n\n')
  })
  return sections.join('\n\n')
}

/** @throws Error if a cell is too long for a readable table */
function formatTable(header: Cells, rows: readonly Cells[]): string {
  const long = rows.flat().find((cell) => cell.length > MAX_CELL)
  if (long !== undefined) throw new Error(`Shorten this text to ${MAX_CELL} characters: ${long}`)
  const widths = header.map((title, n) => Math.max(title.length, ...rows.map((cells) => cells[n]?.length ?? 0)))
  const toLine = (cells: Cells) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`
  return [toLine(header), toLine(widths.map((width) => '-'.repeat(width))), ...rows.map(toLine)].join('\n')
}
