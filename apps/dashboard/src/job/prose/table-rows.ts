/** Whether a line is what stands between the head and the body of a table. */
export function isDelimiterRow(line: string | undefined): boolean {
  const text = line?.trim() ?? ''
  if (!text.includes('-') || !text.includes('|') || text.length > 2_000) return false
  const inner = text.replace(/^\|/, '').replace(/\|$/, '')
  return inner.split('|').every((cell) => /^:?-+:?$/.test(cell.trim()))
}

/** The cells of a table's row; an escaped bar is part of its cell. */
export function splitCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
