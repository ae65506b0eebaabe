import type { Evidence } from '@corrigenda/contracts'
import { decodeText, toLines, WorkspaceError } from '@corrigenda/git/workspace'
import { formatHit } from './search.ts'
import { isLineShown, type SourceReads } from './source-reads.ts'
import type { ToolContext } from './tool.ts'

const MAX_EVIDENCE = 50
const MAX_LINES = 200
const MAX_NOTE = 500

/**
 * Verifies the evidence of a finished change: each page is in the change, each file exists at the
 * pinned commit, and the run has read each line. Returns a sentence for each error.
 * @param context.workspace the files that the agent may edit, for the list of changed pages
 */
export async function checkEvidence(
  context: Pick<ToolContext, 'sources' | 'workspace'>,
  evidence: readonly Evidence[],
  reads: SourceReads,
): Promise<string[]> {
  if (evidence.length === 0) return []
  if (evidence.length > MAX_EVIDENCE)
    return [`There are ${evidence.length} entries; at most ${MAX_EVIDENCE} are allowed.`]
  const changed = new Set((await context.workspace.changes()).map(({ path }) => path))
  const faults: string[] = []
  for (const [index, entry] of evidence.entries()) {
    const fault = changed.has(entry.page)
      ? await findFault(context, entry, reads)
      : `${JSON.stringify(entry.page)} is not a page of this change.`
    if (fault !== null) faults.push(`evidence[${index}]: ${fault}`)
  }
  return faults
}

async function findFault(
  { sources }: Pick<ToolContext, 'sources'>,
  { source: name, path, fromLine, toLine, note }: Evidence,
  reads: SourceReads,
): Promise<string | null> {
  const source = sources.find((one) => one.name === name)
  if (source === undefined) {
    return `there is no source ${JSON.stringify(name)}. Available sources: ${sources.map((one) => one.name).join(', ')}.`
  }
  if (note.length > MAX_NOTE) return `the note has ${note.length} characters; at most ${MAX_NOTE} are allowed.`
  const lines = await findLines(source.workspace, path)
  if (lines === null) return `${name} has no text file ${JSON.stringify(path)} at the commit that this job reads.`
  if (fromLine < 1 || toLine < fromLine || toLine > lines.length) {
    return `lines ${fromLine} to ${toLine} are not a range of ${path}, which has ${lines.length} lines.`
  }
  if (toLine - fromLine >= MAX_LINES) return `the range is too long. Cite at most ${MAX_LINES} lines.`
  const read = Object.hasOwn(reads, name) ? reads[name] : undefined
  const rows = new Set(read?.rows)
  for (let line = fromLine; line <= toLine; line += 1) {
    if (read !== undefined && isLineShown(read, path, line)) continue
    const text = lines[line - 1] ?? ''
    if (rows.has(formatHit(path, ':', line, text)) || rows.has(formatHit(path, '-', line, text))) continue
    return `line ${line} of ${path} was not read in this task. View it with source ${name}, or cite only lines that you have read.`
  }
  return null
}

async function findLines(reader: ToolContext['sources'][number]['workspace'], path: string): Promise<string[] | null> {
  try {
    if ((await reader.find(path))?.kind !== 'file') return null
    const file = decodeText(await reader.read(path))
    return typeof file === 'string' ? null : toLines(file.text)
  } catch (error) {
    // The path is not valid, or the file is too large to read.
    if (error instanceof WorkspaceError) return null
    throw error
  }
}
