import type { Workspace } from '../workspace/workspace.ts'

/**
 * Writes and moves files, and optionally removes one, as one operation. If any step fails, reverts
 * all of them and rethrows the workspace error. `writes` is keyed by the path before the move.
 */
export async function applyMove(
  workspace: Workspace,
  moves: ReadonlyMap<string, string>,
  writes: ReadonlyMap<string, Uint8Array>,
  removed?: string,
): Promise<void> {
  const undo: (() => Promise<void>)[] = []
  try {
    for (const [path, bytes] of writes) {
      const before = await workspace.read(path)
      await workspace.write(path, bytes)
      undo.push(() => workspace.write(path, before))
    }
    for (const [from, to] of moves) {
      await workspace.move(from, to)
      undo.push(() => workspace.move(to, from))
    }
    // The last step does not have to be reverted.
    if (removed !== undefined) await workspace.remove(removed)
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    throw error
  }
}
