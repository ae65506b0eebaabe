import type { Mentions } from './find-mentions.ts'
import type { MovePlan } from './plan-move.ts'

const MAX_FILES = 60
const MAX_LEFT = 40

/**
 * Formats a move report for the model: rewritten references per file, and references that were not
 * rewritten.
 */
export function formatMove(path: string, target: string, moves: ReadonlyMap<string, string>, plan: MovePlan): string {
  const folder = !moves.has(path)
  const rows = [`Moved ${path} to ${target}${folder ? ` (${count(moves.size, 'file')})` : ''}.`]
  const { links, navigation, strings, left } = plan
  const total = [...links.values()].reduce((sum, number) => sum + number, 0)
  if (total > 0) {
    const files = [...links].map(([file, number]) => `${moves.get(file) ?? file} (${number})`)
    rows.push(`Rewrote ${count(total, 'link')} in ${count(links.size, 'file')}: ${list(files, MAX_FILES)}.`)
  }
  for (const [file, number] of navigation.entries)
    rows.push(`Renamed ${count(number, 'navigation entry', 'navigation entries')} in ${file}.`)
  for (const [file, number] of strings) rows.push(`Rewrote ${count(number, 'other reference')} in ${file}.`)
  for (const { file, source, destination } of navigation.redirects.slice(0, MAX_FILES)) {
    rows.push(`Added a redirect in ${file}: ${source} to ${destination}.`)
  }
  if (total === 0 && navigation.entries.size + strings.size + left.length + plan.mentions.count === 0)
    rows.push('No link or navigation entry refers to the old path.')
  if (left.length > 0) {
    rows.push('Not rewritten. Review these references yourself:', ...left.slice(0, MAX_LEFT))
    if (left.length > MAX_LEFT) rows.push(`… and ${left.length - MAX_LEFT} more`)
  }
  rows.push(...formatMentions(plan.mentions, 'the old path or address'))
  return rows.join('\n')
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

function list(items: readonly string[], max: number): string {
  return items.length <= max ? items.join(', ') : `${items.slice(0, max).join(', ')} and ${items.length - max} more`
}

const MAX_ROWS = 20

/**
 * Formats the lines that still contain an old address or path, as rows for the model. Returns an
 * empty list if the whole repository was searched and no line contains it.
 */
export function formatMentions({ rows, count, isPartial }: Mentions, what: string): string[] {
  if (count === 0 && !isPartial) return []
  const more = count - Math.min(rows.length, MAX_ROWS)
  return [
    `Also mentioned in ${count} ${count === 1 ? 'line' : 'lines'} that still ${count === 1 ? 'contains' : 'contain'} ${what}. Change those that must follow:`,
    ...rows.slice(0, MAX_ROWS),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...(isPartial ? ['The repository has too much text, so some files were not searched. Use search.'] : []),
  ]
}
