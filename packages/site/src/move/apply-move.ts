import type { Workspace } from '@corrigenda/git/workspace'

/**
 * Moves files and writes others in one step. If any operation fails, all of them are reverted.
 * `writes` is keyed by the path before the move. Throws the errors of the workspace.
 */
export async function applyMove(
  workspace: Workspace,
  moves: ReadonlyMap<string, string>,
  writes: ReadonlyMap<string, Uint8Array>,
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
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    throw error
  }
}
