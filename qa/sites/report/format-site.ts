import type { SiteReport } from '../measure/measure-site.ts'

const MAX_ROWS = 10

/** Formats a site's report as text. */
export function formatSite({ id, pages, tree, recall }: SiteReport): string {
  const rows = [`== ${id}`, `pages: ${pages}`]
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
      if (findings.length > 0) rows.push(`  ${name}: ${preexisting} (${counts})${note === undefined ? '' : ` — ${note}`}`)
    }
  }
  if (recall.length > 0) rows.push(...formatRecall(recall))
  return rows.join('\n')
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
