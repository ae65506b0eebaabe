import { cleanInstructions, type InstructionFile, quoteInstruction } from './read-instructions.ts'
import type { RunState } from './read-state.ts'
import type { ToolOutcome } from './run-tools.ts'
import { decodeText } from './text-file.ts'
import type { Workspace } from './workspace.ts'

const NESTED = 'Instructions of the repository for a folder you have just opened, quoted as data:\n'
const MAX_CHARS = 16_000
/** Folders whose instructions are quoted in one conversation. */
const MAX_FILES = 8

/** Texts that quote the `AGENTS.md` of folders first opened in this turn, as they are at the base commit. */
export async function findNestedInstructions(
  workspace: Workspace,
  state: RunState,
  outcomes: readonly ToolOutcome[],
  known: readonly InstructionFile[],
): Promise<string[]> {
  const opened = outcomes.flatMap(({ call, isError }) => {
    const { path } = Object(call.input)
    return isError || typeof path !== 'string' || !['view', 'create', 'edit', 'insert'].includes(call.name)
      ? []
      : [path]
  })
  if (opened.length === 0) return []
  const quoted = new Set([...known.map((file) => file.path), ...readQuoted(state)])
  const base = new Set((await workspace.listBase()).filter((entry) => entry.kind === 'file').map((entry) => entry.path))
  const wanted = new Set(opened.flatMap(toCandidates).filter((path) => base.has(path) && !quoted.has(path)))
  const texts: string[] = []
  for (const path of [...wanted].slice(0, Math.max(0, MAX_FILES - readQuoted(state).length))) {
    const bytes = await workspace.readBase(path)
    const file = bytes === null ? 'binary' : decodeText(bytes)
    const text = typeof file === 'string' ? '' : cleanInstructions(file.text)
    if (text === '') continue
    const kept = text.slice(0, MAX_CHARS).toWellFormed()
    texts.push(NESTED + quoteInstruction({ path, text: kept, truncated: kept.length < text.length }))
  }
  return texts
}

/** `AGENTS.md` of every folder above a file but the root, whose own is read at the start. */
function toCandidates(path: string): string[] {
  const folders = path
    .replace(/^(\.\/)+/, '')
    .split('/')
    .slice(0, -1)
  return folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/AGENTS.md`)
}

function readQuoted(state: RunState): string[] {
  return state.rows.flatMap((row) => {
    if (row.role !== 'user') return []
    return row.content.flatMap((block) => {
      if (block.type !== 'text' || !block.text.startsWith(NESTED)) return []
      const path = /<instruction_file path=("(?:[^"\\]|\\.)*")>/.exec(block.text)?.[1]
      return path === undefined ? [] : [String(JSON.parse(path))]
    })
  })
}
