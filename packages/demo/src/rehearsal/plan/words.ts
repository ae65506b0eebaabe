import type { EditReport } from './edit-files.ts'

export const disclosure = 'The rehearsal model wrote this using fixed rules. No AI was used.'

const maxTitle = 72
const maxListed = 20

/** Formats text from a prompt or a file for a sentence: one line, no markup, limited length. */
export function quote(text: string, length = 60): string {
  const plain = text.replace(/\s+/g, ' ').replaceAll('<', '‹').replaceAll('>', '›').replaceAll('![', '! [').trim()
  return `"${plain.length > length ? `${plain.slice(0, length - 1)}…` : plain}"`
}

export function toTitle(text: string): string {
  return text.length > maxTitle ? `${text.slice(0, maxTitle - 1).trimEnd()}…` : text
}

/** Joins paragraphs and appends the disclosure. */
export function toBody(paragraphs: readonly (string | null)[]): string {
  return [...paragraphs.filter((one) => one !== null && one !== ''), disclosure].join('\n\n')
}

export function toList(items: readonly string[]): string {
  const rows = items.slice(0, maxListed).map((item) => `- ${item}`)
  if (items.length > maxListed) rows.push(`- and ${items.length - maxListed} more`)
  return rows.join('\n')
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Returns a paragraph about the rejected edits, or null if no edit was rejected. */
export function toFailures(report: EditReport): string | null {
  if (report.failed.length === 0) return null
  const rows = report.failed.map(({ edit, reason }) => `\`${edit.path}\`: ${quote(reason, 160)}`)
  return `Not changed, because the edit was rejected:\n\n${toList(rows)}`
}
