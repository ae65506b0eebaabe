import { findToolCall, type ToolCall } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'
import { decodeText } from '@corrigenda/git/workspace'
import { listQuoted, quoteForFolder } from './quoted-instructions.ts'
import { cleanInstructions, type InstructionFile } from './read-instructions.ts'
import type { RunState } from './read-state.ts'
import type { ToolOutcome } from './run-tools.ts'

const MAX_CHARS = 16_000
const MAX_FILE_BYTES = 1_048_576
/** Maximum number of folders whose instructions are quoted in one conversation. */
const MAX_FILES = 8

/**
 * Returns notes that quote the base version of `AGENTS.md` for each folder that is first opened in
 * this turn.
 */
export async function findNestedInstructions(
  workspace: Workspace,
  state: RunState,
  outcomes: readonly ToolOutcome[],
  known: readonly InstructionFile[],
): Promise<string[]> {
  const opened = outcomes.flatMap(({ call, isError }) => {
    const known = isError ? null : findToolCall(call)
    return known === null ? [] : listOpened(known)
  })
  if (opened.length === 0) return []
  const quoted = new Set([...known.map((file) => file.path), ...readQuoted(state)])
  const base = new Set((await workspace.listBase()).filter((entry) => entry.kind === 'file').map((entry) => entry.path))
  const wanted = new Set(opened.flatMap(toCandidates).filter((path) => base.has(path) && !quoted.has(path)))
  const texts: string[] = []
  for (const path of [...wanted].slice(0, Math.max(0, MAX_FILES - readQuoted(state).length))) {
    const bytes = await workspace.readBase(path)
    const file = bytes === null || bytes.length > MAX_FILE_BYTES ? 'binary' : decodeText(bytes)
    const text = typeof file === 'string' ? '' : cleanInstructions(file.text)
    if (text === '') continue
    const kept = text.slice(0, MAX_CHARS).toWellFormed()
    texts.push(quoteForFolder({ path, text: kept, truncated: kept.length < text.length }))
  }
  return texts
}

/**
 * Returns the possible `AGENTS.md` paths in the folders above a file. Excludes the root folder,
 * whose file is read at the start.
 */
function toCandidates(path: string): string[] {
  const folders = path
    .replace(/^(\.\/)+/, '')
    .split('/')
    .slice(0, -1)
  return folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/AGENTS.md`)
}

const readQuoted = (state: RunState): string[] =>
  state.rows.flatMap((row, index) =>
    row.role === 'user' ? listQuoted(row.content, { isFirst: index === 0 }).map(({ path }) => path) : [],
  )

/** Returns the paths that a call read or wrote. Folder paths end with a slash. */
function listOpened(call: ToolCall): string[] {
  if ('source' in call.input) return []
  switch (call.name) {
    case 'list_files':
      return call.input.path === undefined ? [] : [`${call.input.path.replace(/(?<!\/)\/+$/, '')}/`]
    case 'view':
    case 'create':
    case 'edit':
    case 'insert':
    case 'rename_heading':
      return toList(call.input.path)
    case 'move':
      return toList(call.input.new_path)
    case 'search':
    case 'source_changes':
    case 'delete':
    case 'check_docs':
    case 'finish':
      return []
  }
}

const toList = (path: string | undefined): string[] => (path === undefined ? [] : [path])
