import { type Workspace, WorkspaceError } from '@corrigenda/git/workspace'
import { explainUnreadable, type PathPolicy } from './path-policy.ts'

/**
 * Returns a workspace without the files that the agent may not read. They do not exist in it and
 * cannot be written.
 */
export function buildReadableView(workspace: Workspace, { isReadable, settings }: PathPolicy): Workspace {
  if (settings.readable === undefined) return workspace
  const requireReadable = (...paths: readonly string[]) => {
    const hidden = paths.find((path) => !isReadable(path))
    if (hidden !== undefined) throw new WorkspaceError('read_only', explainUnreadable(hidden))
  }
  return {
    list: async () => (await workspace.list()).filter(({ path }) => isReadable(path)),
    listBase: async () => (await workspace.listBase()).filter(({ path }) => isReadable(path)),
    find: async (path) => (isReadable(path) ? await workspace.find(path) : null),
    readBase: async (path) => (isReadable(path) ? await workspace.readBase(path) : null),
    async read(path) {
      if (!isReadable(path)) throw new WorkspaceError('not_found', explainUnreadable(path))
      return await workspace.read(path)
    },
    async write(path, bytes) {
      requireReadable(path)
      await workspace.write(path, bytes)
    },
    async remove(path) {
      requireReadable(path)
      await workspace.remove(path)
    },
    async move(path, newPath) {
      requireReadable(path, newPath)
      await workspace.move(path, newPath)
    },
    changes: async () => (await workspace.changes()).filter(({ path }) => isReadable(path)),
  }
}
