import type { Mentions } from './find-mentions.ts'

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
