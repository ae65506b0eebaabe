import type { Workspace } from '@corrigenda/git/workspace'
import { decodeText } from '@corrigenda/git/workspace'
import { cleanInstructions } from './clean-instructions.ts'

/** A file in which the repository tells writers and agents how to work on it. */
export interface InstructionFile {
  readonly path: string
  /** Cleaned of comments and invisible characters; cut to the space that was left. */
  readonly text: string
  readonly truncated: boolean
}

/** All instruction files together, in UTF-8 bytes. */
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

/** The repository's own instructions at the base commit, most specific to agents first, 64 KB in all. */
export async function readInstructions(workspace: Workspace): Promise<InstructionFile[]> {
  const entries = (await workspace.listBase()).filter((entry) => entry.kind === 'file')
  const found = WANTED.flatMap((pattern) => entries.filter((entry) => pattern.test(entry.path)))
  const files: InstructionFile[] = []
  let room = MAX_BYTES
  for (const { path } of found) {
    const bytes = await workspace.readBase(path)
    const file = bytes === null || bytes.length > MAX_FILE_BYTES ? 'binary' : decodeText(bytes)
    if (typeof file === 'string') continue
    const text = cleanInstructions(file.text)
    if (text === '' || room <= 0) continue
    const kept = cutToBytes(text, room)
    room -= Buffer.byteLength(kept)
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
