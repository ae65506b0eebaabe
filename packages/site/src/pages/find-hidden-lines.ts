import type { HidingForm } from './hiding-form.ts'

/**
 * Matches the start or end of a shortcode whose content is code, but not a shortcode without
 * content.
 */
const CODE = /\{\{<[ \t]*(?:(\/)[ \t]*)?((?:\w+-)?code(?:-\w+)?|highlight)\b[^{}\n]{0,500}(?<!\/)>\}\}/g

/** Returns the lines (1-based) that some frameworks do not show as Markdown. */
export function findHiddenLines(text: string): ReadonlyMap<number, HidingForm> {
  const found = new Map<number, HidingForm>()
  if (!/^%|\{\{</m.test(text)) return found
  const closed = new Set(Array.from(text.matchAll(/\/([\w-]+) >\}\}/g), ([, name]) => name))
  let open: string | null = null
  for (const [at, line] of text.split('\n').entries()) {
    if (line.startsWith('%')) found.set(at + 1, 'percent')
    if (open !== null) found.set(at + 1, 'shortcode')
    for (const [, slash, name = ''] of line.matchAll(CODE)) {
      if (slash === '/') open = open === name ? null : open
      else if (open === null && closed.has(name)) open = name
    }
  }
  return found
}
