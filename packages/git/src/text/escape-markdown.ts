/**
 * Words of others (the model, the caller, file names) as inert GitHub-flavoured Markdown. What they keep: their letters, line
 * breaks, bullets and `inline code`. What cannot survive: HTML, images, links, mentions, references to issues and commits,
 * headings, tables, footnotes, maths, hidden characters. Everything that GitHub would turn into a link or a notification after
 * rendering becomes a code span, the one place it leaves alone; entities and backslashes do not stop it there.
 */

/** Bidirectional controls, zero-width characters, tags and the like: what a reader cannot see. Joiners stay, scripts and emoji need them. */
const HIDDEN = /[\u{E0100}-\u{E01EF}]|(?![\u200C\u200D])\p{Cf}/gu
const CONTROL = /(?!\n)\p{Cc}|[\u2028\u2029]/gu

/** Pieces that nothing may run across. None of them can be part of a code span made here, which keeps the spans closed everywhere, also in tables. */
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

/** What GitHub links or notifies: mentions and addresses, any scheme, www., #1, GH-1, commit ids. */
const LINKED = /@|:\/\/|www\.|#\d|\bgh-\d|\b(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}\b/i

const AROUND = new Set('()[]{}"\'*_~.,;:!?')

/** Removes what cannot be seen, and makes line breaks `\n`. */
export function removeHidden(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(/\t/g, ' ').replace(CONTROL, ' ').replace(HIDDEN, '')
}

/** One line of someone's words for the middle of a line or a table cell; line breaks become spaces. */
export function escapeInline(text: string): string {
  const line = removeHidden(text).replace(/\s+/gu, ' ').trim()
  return line
    .split(/(`[^`<>|\\]+`)/u)
    .map((part, index) => (index % 2 === 1 ? part : escapePlain(part)))
    .join('')
    .replaceAll('``', '` `') // two spans side by side would be read as one
}

/** Someone's words as lines: blank lines, bullets and numbers stay. No line starts any other block. */
export function escapeLines(text: string): string[] {
  return removeHidden(text)
    .split('\n')
    .map((line) => {
      const [, marker, rest] = /^\s*([-*+•]|\d{1,9}[.)])\s+(\S.*)$/u.exec(line) ?? []
      if (marker === undefined || rest === undefined) return escapeStart(escapeInline(line))
      return `${/^\d/.test(marker) ? marker : '-'} ${escapeStart(escapeInline(rest))}`
    })
}

/** A name, such as a path: as code when it can be, else as text. */
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

/** Punctuation around an address is not part of it. */
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

/** Disarms what only matters at the start of a line: headings, rules, underlines, bullets, numbers, and `/commands` that bots obey. */
function escapeStart(line: string): string {
  return line.replace(/^[#+=/-]/u, '\\$&').replace(/^(\d{1,9})([.)])/u, '$1\\$2')
}
