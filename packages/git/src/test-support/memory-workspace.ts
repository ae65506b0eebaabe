import {
  type EntryKind,
  type Workspace,
  type WorkspaceChange,
  type WorkspaceEntry,
  WorkspaceError,
} from '../workspace/workspace.ts'

export interface MemoryFile {
  readonly bytes: Uint8Array
  readonly kind?: EntryKind
  readonly executable?: boolean
}

export type Files = Readonly<Record<string, string | MemoryFile>>

export interface MemoryWorkspace extends Workspace {
  /** Returns the current files, for passing to `restore`. */
  snapshot(): ReadonlyMap<string, MemoryFile>
  restore(files: ReadonlyMap<string, MemoryFile>): void
  /** Returns the file as text, for assertions. */
  text(path: string): string
}

/** Builds an in-memory workspace for tests. Rejects the same edits as the real workspace. */
export function buildMemoryWorkspace(files: Files): MemoryWorkspace {
  const base = new Map(Object.entries(files).map(([path, file]) => [path, toFile(file)]))
  let current = new Map(base)

  const get = (path: string) => {
    requirePath(path)
    const file = current.get(path)
    if (file !== undefined) return file
    const folder = [...current.keys()].some((other) => other.startsWith(`${path}/`))
    throw new WorkspaceError(
      folder ? 'is_directory' : 'not_found',
      `${path} ${folder ? 'is a folder' : 'does not exist'}`,
    )
  }
  const requireWritable = (path: string) => {
    requirePath(path)
    const kind = current.get(path)?.kind ?? 'file'
    if (kind !== 'file') throw new WorkspaceError('read_only', `${path} is a ${kind} and cannot be changed`)
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const parent = parts.slice(0, depth).join('/')
      if (current.has(parent)) throw new WorkspaceError('not_a_file', `${parent} is a file, not a folder`)
    }
    if ([...current.keys()].some((other) => other.startsWith(`${path}/`))) {
      throw new WorkspaceError('is_directory', `${path} is a folder`)
    }
  }

  return {
    list: async () => toEntries(current),
    listBase: async () => toEntries(base),
    find: async (path) => {
      requirePath(path)
      return toEntries(current).find((entry) => entry.path === path) ?? null
    },
    read: async (path) => {
      const file = get(path)
      if (file.kind === 'submodule') throw new WorkspaceError('not_a_file', `${path} is a submodule`)
      return file.bytes
    },
    readBase: async (path) => base.get(path)?.bytes ?? null,
    write: async (path, bytes) => {
      requireWritable(path)
      current.set(path, { ...(current.get(path) ?? base.get(path) ?? {}), bytes })
    },
    remove: async (path) => {
      get(path)
      requireWritable(path)
      current.delete(path)
    },
    move: async (path, newPath) => {
      const file = get(path)
      requireWritable(path)
      if (current.has(newPath)) throw new WorkspaceError('exists', `${newPath} exists`)
      requireWritable(newPath)
      current.delete(path)
      current.set(newPath, file)
    },
    changes: async () => {
      const paths = [...new Set([...base.keys(), ...current.keys()])].sort()
      return paths.flatMap((path): WorkspaceChange[] => {
        const before = base.get(path)?.bytes ?? null
        const after = current.get(path)?.bytes ?? null
        if (before !== null && after !== null && Buffer.compare(before, after) === 0) return []
        const kind = before === null ? 'added' : after === null ? 'deleted' : 'modified'
        return [{ path, kind, before, after }]
      })
    },
    snapshot: () => new Map(current),
    restore: (files) => {
      current = new Map(files)
    },
    text: (path) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(get(path).bytes),
  }
}

function toFile(file: string | MemoryFile): MemoryFile {
  return typeof file === 'string' ? { bytes: new TextEncoder().encode(file) } : file
}

function toEntries(files: ReadonlyMap<string, MemoryFile>): WorkspaceEntry[] {
  return [...files]
    .map(([path, { kind = 'file', executable = false }]) => ({ path, kind, executable }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function requirePath(path: string): void {
  const parts = path.split('/')
  const bad = parts.some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part))
  if (bad || /[\p{Cc}\\]/u.test(path)) throw new WorkspaceError('invalid_path', `${JSON.stringify(path)} is not a path`)
}
