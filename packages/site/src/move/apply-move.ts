import type { Workspace } from '@corrigenda/git/workspace'

/**
 * Move files and write others in one step: when any of it is refused, everything is put back as it was. `writes` names files by the path they have before
 * the move. Throws what the workspace throws.
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
