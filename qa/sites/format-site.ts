import type { EditReport } from './measure/measure-edits.ts'
import type { SiteReport } from './measure/measure-site.ts'

const MAX_ROWS = 10

/** Formats a site's report as text. */
export function formatSite({
  id,
  pages,
  links,
  resolved,
  tree,
  recall,
  moves,
  deletions,
  headings,
  releases,
  missing,
}: SiteReport): string {
  const rows = [`== ${id}`, `pages: ${pages}`, `internal links: ${links}, resolved by the oracle: ${resolved}`]
  if (missing > 0) rows.push(`files that the repository lacks, read as empty: ${missing}`)
  if (tree !== null) {
    rows.push(`recognized: ${tree.frameworks.join(', ') || 'nothing'}`)
    rows.push(
      `CPU: open ${tree.openSeconds} s, first check ${tree.checkSeconds} s, second check ${tree.recheckSeconds} s`,
      'findings on the untouched tree:',
    )
    for (const { name, status, preexisting, findings, note } of tree.findings) {
      const codes = new Map<string, number>()
      for (const { code = status } of findings) codes.set(code, (codes.get(code) ?? 0) + 1)
      const counts = [...codes].map(([code, count]) => `${code} ${count}`).join(', ')
      if (findings.length > 0)
        rows.push(`  ${name}: ${preexisting} (${counts})${note === undefined ? '' : ` — ${note}`}`)
    }
  }
  if (recall.length > 0) rows.push(...formatRecall(recall))
  if (moves.length > 0) rows.push(...formatEdits('moves', moves))
  if (deletions.length > 0) rows.push(...formatEdits('deletions', deletions))
  if (headings.length > 0) rows.push(...formatEdits('heading renames', headings))
  for (const { name, findings } of releases) {
    rows.push(`release ${name}: ${findings.length} introduced findings`)
    for (const { check, file, line, message, advisory } of findings.slice(0, 2 * MAX_ROWS))
      rows.push(`  ${advisory ? 'advice' : 'BLOCK '} [${check}] ${file}${line === null ? '' : `:${line}`}: ${message}`)
  }
  return rows.join('\n')
}

function formatEdits(name: string, edits: readonly EditReport[]): string[] {
  const faults = edits.flatMap((edit) => edit.faults)
  const by = (kind: string) => faults.filter((fault) => fault.kind === kind).length
  const times = edits.map(({ seconds }) => seconds).sort((a, b) => a - b)
  return [
    `${name}: ${edits.length}, refused ${edits.filter(({ refused }) => refused !== null).length}, damage ${by('damage')}, stale ${by('stale')}, told ${by('told')}, unlisted ${by('unlisted')}, listed as left ${edits.flatMap(({ left }) => left).length}, CPU median ${times[times.length >> 1]?.toFixed(2)} s, max ${times.at(-1)?.toFixed(2)} s`,
    ...edits.flatMap(({ what, refused, faults: own, left }) => [
      ...(refused === null && own.length === 0 ? [] : [`  ${what}`]),
      ...(refused === null ? [] : [`    refused: ${refused.slice(0, 300)}`]),
      ...(own.length === 0 ? [] : left).slice(0, MAX_ROWS).map((row) => `    left: ${row}`),
      ...own
        .slice(0, MAX_ROWS)
        .map(({ kind, file, line, message }) => `    ${kind} ${file}${line === null ? '' : `:${line}`}: ${message}`),
      ...(own.length > MAX_ROWS ? [`    … and ${own.length - MAX_ROWS} more`] : []),
    ]),
  ]
}

function formatRecall(recall: SiteReport['recall']): string[] {
  const total = (group: string) => {
    const rows = recall.filter((row) => row.group === group)
    const [caught, tried] = [sum(rows.map((row) => row.caught)), sum(rows.map((row) => row.tried))]
    return `${group} ${caught}/${tried}${tried === 0 ? '' : ` (${((100 * caught) / tried).toFixed(1)} %)`}`
  }
  return [
    `recall: ${total('core')}, ${total('more')}`,
    ...recall.map(({ kind, tried, caught, blocked, codes }) => {
      const found = Object.entries(codes).map(([code, count]) => `${code} ${count}`)
      return `  ${kind.padEnd(24)} ${`${caught}/${tried}`.padStart(7)}  blocking ${blocked}  ${found.join(', ')}`
    }),
    ...recall.flatMap(({ kind, missed }) => missed.slice(0, MAX_ROWS).map((where) => `  missed ${kind}: ${where}`)),
  ]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
