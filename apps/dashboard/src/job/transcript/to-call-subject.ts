import type { ToolCall } from './build-entries.ts'

/** The one thing about a call that says most: the file it is about, what was searched for, how it ended. Empty when nothing does. */
export function toCallSubject({ input }: Pick<ToolCall, 'input'>): string {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return ''
  const { path, from, to, query, glob, outcome } = input
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`
  const subject = [path, query, glob, outcome].find((value) => typeof value === 'string')
  return typeof subject === 'string' ? subject : ''
}
