import { formatBytes, readLines, WorkspaceError } from '@corrigenda/git/workspace'
import type { SourceRange, SourceReader } from '../sources/agent-source.ts'
import { formatRange } from '../sources/describe-sources.ts'
import { formatSourceDiff } from '../sources/format-source-diff.ts'
import { defineTool, ToolError } from './tool.ts'
import { getEntry, getSource, parsePath } from './tool-path.ts'

const LIMITS = { commits: 100, files: 300 }

/** Tool that shows the recent changes of a source. */
export const sourceChanges = defineTool({
  name: 'source_changes',
  description:
    'Show the recent changes of a source. Without `path`, it lists the commits and the changed files. With `path`, it shows the diff of one file, at most 24 KB.',
  kind: 'read',
  async run(context, input) {
    const source = getSource(context, input.source)
    const range = await source.recentChanges()
    if (range === null) {
      throw new ToolError(
        `The start of the recent changes of ${source.name} is not known. Read its files with list_files, search and view.`,
      )
    }
    if (input.path === undefined) return formatRange(range, LIMITS)
    return await showDiff(source.workspace, range, parsePath(input.path))
  },
})

async function showDiff(after: SourceReader, range: SourceRange, path: string): Promise<string> {
  const base = await range.openBase()
  const [old, current] = await Promise.all([findFile(base, path), findFile(after, path)])
  if (old === null && current === null) {
    // Suggests similar paths.
    await getEntry(after, path)
    throw new ToolError(`${path} is not a file in either commit.`)
  }
  const state = old === null ? 'added' : current === null ? 'deleted' : 'modified'
  const [before, now] = [readLines(old), readLines(current)]
  if (before === null || now === null) {
    return `${path}: ${state}, not text, ${formatBytes((current ?? old)?.length ?? 0)}`
  }
  const diff = formatSourceDiff(before, now)
  return diff === '' ? `${path} is the same in both commits.` : `${path}: ${state}\n${diff}`
}

/** Returns the bytes of a file; null for a submodule, and for a path without a file. */
async function findFile(reader: SourceReader, path: string): Promise<Uint8Array | null> {
  const entry = await reader.find(path)
  if (entry === null || entry.kind === 'submodule') return null
  try {
    return await reader.read(path)
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'too_large') throw new ToolError(error.message)
    throw error
  }
}
