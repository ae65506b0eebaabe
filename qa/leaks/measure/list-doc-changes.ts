import type { WorkspaceChange } from '@corrigenda/git/workspace'

type Files = ReadonlyMap<string, Uint8Array>

/** Returns the documentation files that two releases have in different forms. */
export function listDocChanges(before: Files, after: Files): WorkspaceChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths.flatMap((path): WorkspaceChange[] => {
    const old = before.get(path) ?? null
    const now = after.get(path) ?? null
    if (old !== null && now !== null && Buffer.compare(old, now) === 0) return []
    return [{ path, kind: old === null ? 'added' : now === null ? 'deleted' : 'modified', before: old, after: now }]
  })
}
