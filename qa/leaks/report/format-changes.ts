import type { MeasuredChange } from '../measure/measure-package.ts'

/** Formats the findings without a verdict, and counts the others. */
export function formatChanges(
  changes: readonly MeasuredChange[],
  toVerdict: (key: string) => string | null,
): { text: string; open: number } {
  const refusals = changes.flatMap((change) => change.refusals)
  const open = refusals.filter(({ key }) => toVerdict(key) === null)
  const rows = open.flatMap(({ key, leak, excerpt }) => [
    `${key}: ${leak.where}`,
    ...excerpt.map((line) => `    ${line}`),
  ])
  const counts = new Map<string, number>()
  for (const { key } of refusals) {
    const verdict = toVerdict(key)
    const row = `  ${key.split(' ').slice(0, 3).join(' ')}: ${verdict}`
    if (verdict !== null) counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  const judged = Array.from(counts, ([row, count]) => `${row}${count > 1 ? ` (${count} findings)` : ''}`)
  const kinds = new Map<string, number>()
  for (const { leak } of refusals) kinds.set(leak.kind, (kinds.get(leak.kind) ?? 0) + 1)
  const refused = changes.filter((change) => change.refusals.length > 0)
  const wrong = changes.filter((change) => change.refusals.some(({ key }) => toVerdict(key) === null))
  const summary = [
    `${changes.length} changes, ${refused.length} refused, ${wrong.length} of them without a verdict`,
    `Findings by kind: ${Array.from(kinds, ([kind, count]) => `${kind} ${count}`).join(', ') || 'none'}`,
  ]
  const list = judged.length === 0 ? [] : ['Copies of the code, refused correctly:', ...judged]
  return { text: [...rows, ...list, ...summary].join('\n'), open: open.length }
}
