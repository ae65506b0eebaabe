import type { WorkspaceEntry } from '@corrigenda/git/workspace'
import type { PathAction, PathPolicy } from '../policy/path-policy.ts'
import type { SourceReader } from '../sources/agent-source.ts'
import { suggestPaths } from './suggest-paths.ts'
import { ToolError } from './tool.ts'

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
