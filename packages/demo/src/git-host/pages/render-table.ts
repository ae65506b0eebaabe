import { type Html, html } from './html.ts'
import { renderInline } from './render-inline.ts'

const RULER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** A header with a ruler of the same number of cells below it. */
export function isTableStart(lines: readonly string[], at: number): boolean {
  const header = lines[at] ?? ''
  const ruler = lines[at + 1] ?? ''
  return (
    header.includes('|') && ruler.length < 1000 && RULER.test(ruler) && toCells(ruler).length === toCells(header).length
  )
}

export function renderTable(lines: readonly string[], at: number): { markup: Html; taken: number } {
  let end = at + 2
  while (end < lines.length && lines[end]?.includes('|')) end += 1
  const header = toCells(lines[at] ?? '')
  const rows = lines.slice(at + 2, end).map(toCells)
  const body = rows.map(
    (cells) => html`<tr>${header.map((_, i) => html`<td>${renderInline(cells[i] ?? '')}</td>`)}</tr>`,
  )
  return {
    markup: html`<div class="scroll"><table class="prose">
<thead><tr>${header.map((cell) => html`<th>${renderInline(cell)}</th>`)}</tr></thead>
<tbody>${body}</tbody></table></div>`,
    taken: end - at,
  }
}

function toCells(line: string): string[] {
  const inside = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
