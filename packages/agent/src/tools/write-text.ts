import { decodeText, formatBytes, type TextFile, toLines, type Workspace } from '@corrigenda/git/workspace'
import { formatIntroduced } from '@corrigenda/site/checks'
import { findBrokenAnchors } from '@corrigenda/site/move'
import { explainGuarded } from './plan-guarded.ts'
import { type ToolContext, ToolError } from './tool.ts'

/** Reads a file before it is changed. Throws ToolError if it is not UTF-8 text. */
export async function openText(workspace: Workspace, path: string): Promise<TextFile> {
  const bytes = await workspace.read(path)
  const file = decodeText(bytes)
  if (file === 'binary')
    throw new ToolError(`${path} is a binary file (${formatBytes(bytes.length)}) and cannot be edited.`)
  if (file === 'not_utf8') {
    throw new ToolError(`${path} is not encoded in UTF-8. Editing would damage it, so it cannot be edited here.`)
  }
  return file
}

/** Throws ToolError for text that a UTF-8 text file cannot contain. */
export function requireText(text: string, name: string): void {
  if (!text.isWellFormed())
    throw new ToolError(`${name} contains half of a surrogate pair. Send well-formed Unicode text.`)
  if (text.includes('\0')) throw new ToolError(`${name} contains a NUL character. Send plain text.`)
}

const CONTEXT_LINES = 4
const MAX_SNIPPET_LINES = 40
const MAX_LINE_CHARS = 500
const MAX_PROBLEMS = 10

/**
 * Writes a file. Throws ToolError if it would exceed the size limit, or if the change of a guarded
 * file is not allowed.
 */
export async function writeText(context: ToolContext, path: string, bytes: Uint8Array): Promise<void> {
  const limit = context.policy.maxFileBytes
  if (bytes.length > limit) {
    throw new ToolError(
      `The size of ${path} would be ${formatBytes(bytes.length)}; the limit is ${formatBytes(limit)}. Nothing was changed.`,
    )
  }
  const why = context.policy.isGuarded(path) ? await explainGuarded(context.workspace, path, bytes) : null
  if (why !== null) throw new ToolError(`${why} Nothing was changed.`)
  await context.workspace.write(path, bytes)
}

/** Formats numbered lines around an edit. `first` and `last` are the 1-based range of new lines. */
export function formatSnippet(text: string, first: number, last: number): string {
  const lines = toLines(text)
  const from = Math.max(1, first - CONTEXT_LINES)
  const to = Math.min(lines.length, last + CONTEXT_LINES)
  const rows = lines.slice(from - 1, to).map((line, index) => `${from + index}\t${clip(line)}`)
  if (rows.length <= MAX_SNIPPET_LINES) return rows.join('\n')
  const half = MAX_SNIPPET_LINES / 2
  return [...rows.slice(0, half), `… ${rows.length - 2 * half} lines …`, ...rows.slice(-half)].join('\n')
}

/**
 * Formats the issues that the change introduced in these files, for a write tool's result. Returns
 * an empty string if the files have no new issues.
 */
export async function formatNewProblems(context: ToolContext, paths: readonly string[]): Promise<string> {
  const results = await context.checkDocs({ workspace: context.workspace, scope: 'changed' })
  const rows = paths.flatMap((path) => formatIntroduced(results, path))
  if (rows.length === 0) return ''
  const more = rows.length > MAX_PROBLEMS ? `\n… and ${rows.length - MAX_PROBLEMS} more` : ''
  return `\nYour changes introduce issues here. Fix them before you finish:\n${rows.slice(0, MAX_PROBLEMS).join('\n')}${more}`
}

/**
 * Formats the links in other pages to anchors that a write removed, for the tool's result. Returns
 * an empty string if it removed no such anchor.
 * @param before the page's bytes before the write
 */
export async function formatBrokenAnchors(
  { workspace, pages }: ToolContext,
  path: string,
  before: Uint8Array,
): Promise<string> {
  const rows = await findBrokenAnchors(workspace, path, before, pages)
  if (rows.length === 0) return ''
  const more = rows.length > MAX_PROBLEMS ? `\n… and ${rows.length - MAX_PROBLEMS} more` : ''
  return `\nThis change removes anchors of ${path} that other pages link to. Update these links. To rename a heading together with the links to it, undo the change and use rename_heading.\n${rows.slice(0, MAX_PROBLEMS).join('\n')}${more}`
}

function clip(line: string, max = MAX_LINE_CHARS): string {
  return line.length <= max ? line : `${line.slice(0, max)}… [line of ${line.length} characters]`
}
