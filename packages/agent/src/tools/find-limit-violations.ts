import type { Workspace, WorkspaceChange } from '@corrigenda/git/workspace'
import { checkPolicy, type PolicyViolation } from '../policy/check-policy.ts'
import type { PathPolicy } from '../policy/path-policy.ts'

/**
 * Returns the limits that these moves and writes would newly exceed, for the whole change or a
 * single file.
 */
export async function findLimitViolations(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: PathPolicy },
  moves: ReadonlyMap<string, string>,
  writes: ReadonlyMap<string, Uint8Array>,
): Promise<PolicyViolation[]> {
  const changes = new Map((await workspace.changes()).map((change) => [change.path, change]))
  const before = checkPolicy([...changes.values()], policy)
  const put = async (path: string, after: Uint8Array | null) => {
    const change = toChange(path, await workspace.readBase(path), after)
    if (change === null) changes.delete(path)
    else changes.set(path, change)
  }
  const moved = new Map<string, Uint8Array>()
  for (const [from, to] of moves) moved.set(to, writes.get(from) ?? (await workspace.read(from)))
  for (const from of moves.keys()) await put(from, null)
  for (const [path, bytes] of moved) await put(path, bytes)
  for (const [path, bytes] of writes) if (!moves.has(path)) await put(path, bytes)
  const isLimit = ({ code }: PolicyViolation) => /^(?:too_many_|diff_too_large|file_too_large)/.test(code)
  return checkPolicy([...changes.values()], policy).filter(
    (violation) =>
      isLimit(violation) && !before.some(({ code, path }) => code === violation.code && path === violation.path),
  )
}

function toChange(path: string, before: Uint8Array | null, after: Uint8Array | null): WorkspaceChange | null {
  if (before === null) return after === null ? null : { path, kind: 'added', before, after }
  if (after === null) return { path, kind: 'deleted', before, after }
  return Buffer.compare(before, after) === 0 ? null : { path, kind: 'modified', before, after }
}
