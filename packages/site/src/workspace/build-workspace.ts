import type { Workspace, WorkspaceChange, WorkspaceEntry } from './workspace.ts'

/**
 * Builds a workspace in memory.
 * @param files the contents of the base commit, keyed by path
 */
export function buildWorkspace(files: Readonly<Record<string, string | Uint8Array>>): Workspace {
  const toBytes = (content: string | Uint8Array) =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content
  const base = new Map(Object.entries(files).map(([path, content]) => [path, toBytes(content)]))
  const current = new Map(base)
  const get = (path: string) => {
    const bytes = current.get(path)
    if (bytes === undefined) throw refuse(`${path} does not exist.`)
    return bytes
  }
  return {
    list: async () => toEntries(current),
    listBase: async () => toEntries(base),
    find: async (path) => toEntries(current).find((entry) => entry.path === path) ?? null,
    read: async (path) => get(path),
    readBase: async (path) => base.get(path) ?? null,
    async write(path, bytes) {
      current.set(path, bytes)
    },
    async remove(path) {
      get(path)
      current.delete(path)
    },
    async move(path, newPath) {
      if (current.has(newPath)) throw refuse(`${newPath} exists.`)
      current.set(newPath, get(path))
      current.delete(path)
    },
    async changes() {
      return [...new Set([...base.keys(), ...current.keys()])].sort().flatMap((path): WorkspaceChange[] => {
        const before = base.get(path) ?? null
        const after = current.get(path) ?? null
        if (before !== null && after !== null && Buffer.compare(before, after) === 0) return []
        const kind = before === null ? 'added' : after === null ? 'deleted' : 'modified'
        return [{ path, kind, before, after }]
      })
    },
  }
}

function toEntries(files: ReadonlyMap<string, Uint8Array>): WorkspaceEntry[] {
  return [...files.keys()].sort().map((path) => ({ path, kind: 'file', executable: false }))
}

function refuse(message: string): Error {
  return Object.assign(new Error(message), { name: 'WorkspaceError' })
}
