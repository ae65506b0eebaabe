import type { Workspace } from '@corrigenda/git/workspace'
import { decodeText } from '@corrigenda/git/workspace'
import { cleanInstructions } from './clean-instructions.ts'

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
