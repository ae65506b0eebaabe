import type { WorkspaceEntry } from '@corrigenda/git/workspace'
import type { PathAction, PathPolicy } from '../policy/path-policy.ts'
import type { AgentSource, SourceReader } from '../sources/agent-source.ts'
import { type ToolContext, ToolError } from './tool.ts'

/**
 * Parses a path from the model and removes `./` and a trailing slash. Throws ToolError if it cannot
 * be a file path in the repository.
 */
export function parsePath(path: string): string {
  const clean = path.replace(/^(\.\/)+/, '').replace(/(?<!\/)\/+$/, '')
  if (clean === '' || clean === '.')
    throw new ToolError('The path is empty. Use a path relative to the repository root.')
  if (clean.length > 1024) throw new ToolError('The path is too long. At most 1,024 characters are allowed.')
  if (clean.startsWith('/') || /^[A-Za-z]:[\\/]/.test(clean)) {
    throw new ToolError(
      `Paths are relative to the repository root. ${JSON.stringify(path)} must not start with a slash.`,
    )
  }
  if (!clean.isWellFormed() || /[\p{Cc}\\]/u.test(clean)) {
    throw new ToolError('The path contains a backslash or control character. Separate folders with "/".')
  }
  if (clean.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new ToolError(
      `${JSON.stringify(path)} has an empty, "." or ".." part. Use the plain path from the repository root.`,
    )
  }
  return clean
}

/** Parses an optional folder path. Returns an empty string for the root. */
export function parseFolder(path: string | undefined): string {
  return path === undefined || /^\.?\/?$/.test(path) ? '' : parsePath(path)
}

/** Returns the entry at a path. If it does not exist, throws ToolError with similar names. */
export async function getEntry(workspace: SourceReader, path: string): Promise<WorkspaceEntry> {
  const entry = await workspace.find(path)
  if (entry !== null) return entry
  const entries = await workspace.list()
  const inside = entries.filter((other) => other.path.startsWith(`${path}/`)).length
  if (inside > 0) {
    const files = inside === 1 ? '1 file' : `${inside} files`
    throw new ToolError(`${path} is a folder with ${files}. Use list_files to list its contents.`)
  }
  const near = suggestPaths(path, entries)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' Use list_files or search to find it.'
  throw new ToolError(`${path} does not exist.${hint}`)
}

/** Throws ToolError immediately for a path that the final check would reject. */
export function requireAllowed(policy: PathPolicy, path: string, action: PathAction): void {
  const why = policy.explain(path, action)
  if (why !== null)
    throw new ToolError(`${why} Nothing was changed. If the task needs this change, mention that when you finish.`)
}

/** Throws ToolError if the entry is not an ordinary file. */
export function requireFile(entry: WorkspaceEntry): void {
  if (entry.kind === 'file') return
  const what = { symlink: 'a symbolic link', submodule: 'a submodule', lfs: 'stored outside the repository (LFS)' }[
    entry.kind
  ]
  throw new ToolError(`${entry.path} is ${what} and cannot be changed here.`)
}

const MAX = 3

/** Returns existing paths that resemble a missing one, best first. */
function suggestPaths(path: string, entries: readonly WorkspaceEntry[]): string[] {
  const wanted = fold(path)
  const name = toName(wanted)
  const scored = entries.flatMap((entry) => {
    const candidate = fold(entry.path)
    const score =
      candidate === wanted || toStem(candidate) === toStem(wanted)
        ? 4
        : toName(candidate) === name
          ? 3
          : toStem(toName(candidate)) === toStem(name)
            ? 2
            : candidate.endsWith(`/${wanted}`) || isNear(toStem(toName(candidate)), toStem(name))
              ? 1
              : 0
    return score === 0 ? [] : [{ path: entry.path, score }]
  })
  return scored
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MAX)
    .map((candidate) => candidate.path)
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function toName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function toStem(path: string): string {
  return path.replace(/\.[a-z0-9]+$/, '')
}

/** Returns true if the edit distance between the names is at most two. */
function isNear(a: string, b: string): boolean {
  if (a.length < 4 || b.length < 4 || Math.abs(a.length - b.length) > 2 || a.length > 100) return false
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return (previous[b.length] ?? 3) <= 2
}

/** Returns a source of the job. Throws ToolError with the available names for an unknown name. */
export function getSource({ sources }: Pick<ToolContext, 'sources'>, name: string): AgentSource {
  const found = sources.find((source) => source.name === name)
  if (found !== undefined) return found
  const names = sources.map((source) => source.name).join(', ')
  throw new ToolError(
    `There is no source ${JSON.stringify(name)}. ${names === '' ? 'This job has no sources.' : `Available sources: ${names}.`}`,
  )
}

/** Returns the files that a call reads: a source, or the files that the agent edits. */
export function getReader(context: Pick<ToolContext, 'sources' | 'workspace'>, name: string | undefined): SourceReader {
  return name === undefined ? context.workspace : getSource(context, name).workspace
}
