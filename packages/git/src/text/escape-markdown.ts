import { HIDDEN_CHARACTERS } from './hidden-characters.ts'

/**
 * Converts untrusted text (from the model, the caller, file names) to inert GitHub Flavored
 * Markdown. Keeps letters, line breaks, bullets and `inline code`. Disables HTML, images, links,
 * mentions, references to issues and commits, headings, tables, footnotes, math and hidden
 * characters. Text that GitHub would turn into a link or a notification after rendering becomes a
 * code span, because GitHub does not process code spans. Entities and backslashes would not prevent
 * that processing.
 */

const CONTROL = /(?!\n)\p{Cc}|[\u2028\u2029]/gu

/**
 * Separators between pieces of text. Code spans created here never contain them, so they are always
 * closed, even in tables.
 */
const BARRIER = /([\s`<>|\\]+)/u
const ENTITIES: Readonly<Record<string, string>> = {
  '`': '&#96;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
  '\\': '&#92;',
  '&': '&amp;',
  $: '&#36;',
}

/**
 * Matches text that GitHub turns into links or notifications: mentions, email addresses, URL
 * schemes, www., #1, GH-1 and commit IDs.
 */
const LINKED = /@|:\/\/|www\.|#\d|\bgh-\d|\b(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}\b/i

const AROUND = new Set('()[]{}"\'*_~.,;:!?')

/** Removes invisible characters and converts line breaks to `\n`. */
export function removeHidden(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(CONTROL, ' ')
    .replace(HIDDEN_CHARACTERS, '')
}

/** Escapes untrusted text for the middle of a line or a table cell. Line breaks become spaces. */
export function escapeInline(text: string): string {
  const line = removeHidden(text).replace(/\s+/gu, ' ').trim()
  return line
    .split(/(`[^`<>|\\]+`)/u)
    .map((part, index) => (index % 2 === 1 ? part : escapePlain(part)))
    .join('')
    .replaceAll('``', '` `') // Markdown parses two adjacent spans as one
}

/**
 * Escapes untrusted text line by line. Keeps blank lines, bullets and list numbers. No line starts
 * any other kind of block.
 */
export function escapeLines(text: string): string[] {
  return removeHidden(text)
    .split('\n')
    .map((line) => {
      const [, marker, rest] = /^\s*([-*+•]|\d{1,9}[.)])\s+(\S.*)$/u.exec(line) ?? []
      if (marker === undefined || rest === undefined) return escapeStart(escapeInline(line))
      return `${/^\d/.test(marker) ? marker : '-'} ${escapeStart(escapeInline(rest))}`
    })
}

/** Formats a name, such as a path, as code if possible, otherwise as text. */
export function toCode(text: string): string {
  const line = removeHidden(text).replace(/\s+/gu, ' ').trim()
  return line === '' || /[`<>|\\]/.test(line) ? escapeInline(line) : `\`${line}\``
}

function escapePlain(text: string): string {
  return text
    .split(BARRIER)
    .map((piece, index) => {
      if (index % 2 === 1) return piece.replace(/[`<>|\\]/g, (mark) => ENTITIES[mark] ?? '')
      return LINKED.test(piece) ? codeWithin(piece) : escapeMarks(piece)
    })
    .join('')
}

/** Wraps a link or mention in a code span, excluding the surrounding punctuation. */
function codeWithin(piece: string): string {
  let start = 0
  let end = piece.length
  while (start < end && AROUND.has(piece.charAt(start))) start += 1
  while (end > start && AROUND.has(piece.charAt(end - 1))) end -= 1
  const inner = piece.slice(start, end)
  if (!LINKED.test(inner)) return `\`${piece}\``
  return `${escapeMarks(piece.slice(0, start))}\`${inner}\`${escapeMarks(piece.slice(end))}`
}

function escapeMarks(text: string): string {
  return text
    .replace(/[&$]/g, (mark) => ENTITIES[mark] ?? '')
    .replace(/[*~[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
}

/**
 * Escapes characters that have a special meaning only at the start of a line (headings, rules,
 * underlines, lists and bot `/commands`).
 */
function escapeStart(line: string): string {
  return line.replace(/^[#+=/-]/u, '\\$&').replace(/^(\d{1,9})([.)])/u, '$1\\$2')
}
