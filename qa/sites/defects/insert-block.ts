import type { DocPage } from '../model/read-page.ts'
import type { FileEdit } from './defect.ts'

/** Returns the edit that adds a paragraph after a heading without indentation, or at the end. */
export function insertBlock(page: DocPage, random: () => number, words: string): FileEdit[] {
  const places = page.headings
    .map(({ end }) => end)
    .filter((end) => /^[ \t]*#*[ \t]*\r?(?:\n|$)/.test(page.text.slice(end)))
  const at = places[Math.floor(random() * (places.length + 1))]
  const eol = page.text.includes('\r\n') ? '\r\n' : '\n'
  const block = words.replaceAll('\n', eol)
  if (at === undefined) return [{ path: page.path, text: `${page.text.trimEnd()}${eol}${eol}${block}${eol}` }]
  const line = page.text.indexOf('\n', at)
  const end = line === -1 ? page.text.length : line + 1
  return [{ path: page.path, text: `${page.text.slice(0, end)}${eol}${block}${eol}${eol}${page.text.slice(end)}` }]
}
