import type { SiteReport } from '../measure/measure-site.ts'

/** Formats the recall of every kind of defect by framework, and one row per site. */
export function formatSummary(sites: readonly SiteReport[]): string {
  const frameworks = [...new Set(sites.map(({ layout }) => layout.framework))].sort()
  const kinds = [...new Set(sites.flatMap(({ recall }) => recall.map(({ kind }) => kind)))]
  const cell = (kind: string, framework: string) => {
    const rows = sites.flatMap(({ layout, recall }) =>
      layout.framework === framework ? recall.filter((row) => row.kind === kind) : [],
    )
    const tried = rows.reduce((sum, row) => sum + row.tried, 0)
    return tried === 0 ? '–' : `${rows.reduce((sum, row) => sum + row.caught, 0)}/${tried}`
  }
  return [
    '',
    `${''.padEnd(24)} ${frameworks.map((name) => name.padStart(10)).join(' ')}`,
    ...kinds.map((kind) => `${kind.padEnd(24)} ${frameworks.map((name) => cell(kind, name).padStart(10)).join(' ')}`),
    '',
    ...sites.map(formatRow),
  ].join('\n')
}

function formatRow({ id, layout, pages, tree, moves, deletions, headings }: SiteReport): string {
  const faults = [...moves, ...deletions, ...headings].flatMap((edit) => edit.faults)
  const count = (kind: string) => faults.filter((fault) => fault.kind === kind).length
  const found = (tree?.findings ?? []).reduce((sum, { preexisting }) => sum + preexisting, 0)
  return [
    id.padEnd(20),
    layout.framework.padEnd(11),
    `${pages} pages`.padStart(11),
    `open ${tree?.openSeconds ?? '–'} s, check ${tree?.checkSeconds ?? '–'} s CPU, ${found} findings,`,
    `damage ${count('damage')}, stale ${count('stale')}, told ${count('told')}, unlisted ${count('unlisted')}`,
  ].join(' ')
}
