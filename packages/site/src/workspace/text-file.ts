/**
 * A text file (`text` has LF line endings and no byte order mark), with the data required to restore
 * its original bytes.
 */
export interface TextFile {
  readonly text: string
  /** The same content with the original line endings, without the byte order mark. */
  readonly raw: string
  readonly bom: boolean
  /** The most common line ending. */
  readonly eol: '\n' | '\r\n'
  /** Positions in `text` of the LFs that are CR LF in `raw`, in ascending order. */
  readonly crlf: readonly number[]
}

type Unreadable = 'binary' | 'not_utf8'

const BOM = '\uFEFF'

/** Decodes bytes strictly as UTF-8. A NUL byte makes a file binary. */
export function decodeText(bytes: Uint8Array): TextFile | Unreadable {
  if (bytes.includes(0)) return 'binary'
  let decoded: string
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return 'not_utf8'
  }
  const bom = decoded.startsWith(BOM)
  const raw = bom ? decoded.slice(1) : decoded
  const crlf: number[] = []
  for (let at = raw.indexOf('\r\n'); at !== -1; at = raw.indexOf('\r\n', at + 2)) crlf.push(at - crlf.length)
  const text = toLf(raw)
  const newlines = countOf(text, '\n')
  return { text, raw, bom, eol: crlf.length * 2 > newlines ? '\r\n' : '\n', crlf }
}

/** Encodes a file's `raw` content and restores its byte order mark. */
export function encodeText(raw: string, bom = false): Uint8Array {
  return new TextEncoder().encode(bom ? BOM + raw : raw)
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

export interface Splice {
  /** Offsets into `text`, end exclusive. */
  readonly start: number
  readonly end: number
  /** The inserted text, with LF line endings. */
  readonly replacement: string
}

/**
 * Applies splices (ascending and non-overlapping) and returns the new raw content. Bytes outside
 * the splices are unchanged. Inserted text uses the line ending of the text that it replaces, or
 * the file's most common line ending. Keeps an existing final newline.
 */
export function spliceText(file: TextFile, splices: readonly Splice[]): string {
  let out = ''
  let at = 0
  for (const { start, end, replacement } of splices) {
    const replaced = file.raw.slice(toRawOffset(file, start), toRawOffset(file, end))
    const eol = replaced.includes('\r\n') ? '\r\n' : replaced.includes('\n') ? '\n' : file.eol
    out += file.raw.slice(at, toRawOffset(file, start))
    out += eol === '\n' ? replacement : replacement.replaceAll('\n', '\r\n')
    at = toRawOffset(file, end)
  }
  out += file.raw.slice(at)
  if (file.raw.endsWith('\n') && out !== '' && !out.endsWith('\n')) out += file.raw.endsWith('\r\n') ? '\r\n' : '\n'
  return out
}

/**
 * Splits text into lines without their line endings. A final newline does not start another line.
 */
function toLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function toRawOffset(file: TextFile, offset: number): number {
  let low = 0
  let high = file.crlf.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((file.crlf[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return offset + low
}

function countOf(text: string, char: string): number {
  let count = 0
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) count += 1
  return count
}

/** Returns the lines of a file, or null if it is not text. An absent file has none. */
export function readLines(bytes: Uint8Array | null): string[] | null {
  if (bytes === null) return []
  const file = decodeText(bytes)
  return typeof file === 'string' ? null : toLines(file.text)
}
