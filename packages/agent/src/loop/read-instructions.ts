import type { RunPolicyFile } from '@corrigenda/contracts'
import { decodeText, type Workspace } from '@corrigenda/git/workspace'

/** A repository file with instructions for writers and agents. */
export interface InstructionFile {
  readonly path: string
  /** Text without comments or invisible characters, truncated to the remaining space. */
  readonly text: string
  readonly truncated: boolean
}

/** Maximum total size of all instruction files, in UTF-8 bytes. */
const MAX_BYTES = 65_536
const MAX_FILE_BYTES = 1_048_576

const WANTED: readonly RegExp[] = [
  /^\.mintlify\/AGENTS\.md$/i,
  /^AGENTS\.md$/i,
  /^CLAUDE\.md$/i,
  /^(\.github\/|docs?\/)?CONTRIBUTING(\.mdx?|\.rst|\.txt)?$/i,
  /^(docs?\/|documentation\/|\.github\/)?((documentation|docs|writing|content|editorial)[-_]){0,2}(style|writing)[-_]?guide(lines)?\.mdx?$/i,
  /^(docs?|documentation)\/(AGENTS|CLAUDE)\.md$/i,
]

/** Reads the instruction files from the base commit, in order of priority, up to 64 KB in total. */
export async function readInstructions(workspace: Workspace): Promise<InstructionFile[]> {
  const entries = (await workspace.listBase()).filter((entry) => entry.kind === 'file')
  const found = WANTED.flatMap((pattern) => entries.filter((entry) => pattern.test(entry.path)))
  const files: InstructionFile[] = []
  let remaining = MAX_BYTES
  for (const { path } of found) {
    const bytes = await workspace.readBase(path)
    const file = bytes === null || bytes.length > MAX_FILE_BYTES ? 'binary' : decodeText(bytes)
    if (typeof file === 'string') continue
    const text = cleanInstructions(file.text)
    if (text === '' || remaining <= 0) continue
    const kept = cutToBytes(text, remaining)
    remaining -= Buffer.byteLength(kept)
    files.push({ path, text: kept, truncated: kept.length < text.length })
  }
  return files
}

function cutToBytes(text: string, max: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= max) return text
  const cut = new TextDecoder().decode(bytes.subarray(0, max)).replace(/\uFFFD+$/, '')
  const line = cut.lastIndexOf('\n')
  return line > 0 ? cut.slice(0, line) : cut
}

/** Longer files are truncated before they are cleaned. */
const MAX_CHARS = 262_144

/** Elements whose content is not visible on the rendered page. */
const NOT_RENDERED = /^(script|style|template|noscript)$/i
const HIDDEN =
  /\shidden(?:[\s=/>]|$)|(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0|opacity\s{0,9}:\s{0,9}0(?![.\d]))/i

/**
 * Reduces an instruction file to the text that is visible on the rendered page. Content that is
 * hidden from readers must not steer the agent. Removes HTML and MDX comments, hidden elements,
 * unused link definitions (`[//]: # (…)`) and invisible characters. This also applies in code
 * blocks, because removing hidden content takes precedence over showing an example. Collapsed
 * content (`<details>`) is kept, because readers can open it.
 */
export function cleanInstructions(text: string): string {
  const plain = text
    .slice(0, MAX_CHARS)
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    // Removes zero-width, bidirectional, tag and filler characters, and variation selectors.
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u{E0000}-\u{E0FFF}\u2800]/gu, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
  const tight = plain
    .replace(/\{\s{1,20}\/\*/g, '{/*')
    .replace(/\*\/\s{1,20}\}/g, '*/}')
    .replace(/\{\s{0,20}\/\/[^\n]*(\n\s{0,20}\})?/g, (all, end) => (end === undefined ? all : ''))
  const shown = dropBetween(dropBetween(tight, '<!--', '-->'), '{/*', '*/}')
  return dropDefinitions(dropHiddenElements(shown)).toWellFormed().trim()
}

/** Removes the text between two delimiters. An unclosed delimiter removes the rest of the text. */
function dropBetween(text: string, open: string, close: string): string {
  let kept = ''
  let at = 0
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
    kept += text.slice(at, start)
    const end = text.indexOf(close, start + open.length)
    if (end === -1) return kept
    at = end + close.length
  }
  return kept + text.slice(at)
}

const MAX_TAG = 2_000

function dropHiddenElements(text: string): string {
  const lower = text.toLowerCase()
  let kept = ''
  let at = 0
  let [read, tagEnd] = [0, 0]
  for (const { 1: name = '', index } of text.matchAll(/<([a-z][a-z0-9-]{0,40})(?=[\s/>])/gi)) {
    if (index < Math.max(at, read)) continue
    if (tagEnd <= index) tagEnd = text.indexOf('>', index) + 1
    if (tagEnd === 0) break
    if (tagEnd - index > MAX_TAG) continue
    read = tagEnd
    const whole = text.slice(index, tagEnd)
    if (!(NOT_RENDERED.test(name) || HIDDEN.test(whole))) continue
    kept += text.slice(at, index)
    const inner = tagEnd
    if (whole.endsWith('/>')) {
      at = inner
      continue
    }
    const end = lower.indexOf(`</${name.toLowerCase()}`, inner)
    if (end === -1) return kept
    const close = text.indexOf('>', end)
    at = close === -1 ? text.length : close + 1
  }
  return kept + text.slice(at)
}

/**
 * Removes link definitions that are unused or have no target. A definition is visible only through
 * its references.
 */
function dropDefinitions(text: string): string {
  const lines = text.split('\n')
  const used = new Set<string>()
  for (const [, label = ''] of text.matchAll(/\[([^[\]\n]{1,200})\](?!:)/g)) used.add(label.trim().toLowerCase())
  return lines
    .flatMap((line) => {
      const [, label = '', target = ''] = /^ {0,3}\[([^[\]\n]{1,200})\]:\s*(\S*)/.exec(line) ?? []
      if (label === '' || label.startsWith('^')) return [line]
      const hasNoTarget = ['', '#', '<>', '<#>'].includes(target)
      // A link title is visible only on hover, so it is removed.
      return hasNoTarget || !used.has(label.trim().toLowerCase()) ? [] : [`[${label}]: ${target}`]
    })
    .join('\n')
}

/**
 * Converts the repository's policy file to an instruction file for the agent. The result contains
 * the policy's instructions and path rules, so that the agent does not attempt disallowed changes.
 * If several files are given, uses the last one.
 */
export function toPolicyInstructions(files: readonly RunPolicyFile[]): InstructionFile[] {
  const file = files.at(-1)
  if (file === undefined) return []
  const { readable, writable, forbidden, instructions = '' } = file.policy
  const text = [
    ...(readable === undefined ? [] : [`Read only these paths: ${cleanInstructions(readable.join(', '))}`]),
    ...(writable === undefined ? [] : [`Change only these paths: ${cleanInstructions(writable.join(', '))}`]),
    ...(forbidden === undefined || forbidden.length === 0
      ? []
      : [`Never change: ${cleanInstructions(forbidden.join(', '))}`]),
    cleanInstructions(instructions),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  return text === '' ? [] : [{ path: file.path, text, truncated: false }]
}
