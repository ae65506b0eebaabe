import { decodeText, type Workspace, type WorkspaceChange, WorkspaceError } from '@corrigenda/git/workspace'
import { CODEOWNERS_PLACES, listCodeOwners, MAX_CODEOWNERS_BYTES } from './list-code-owners.ts'

/** Owners of the changed files by CODEOWNERS of the base commit, as on GitHub; empty when there is none that can be read. */
export async function findCodeOwners(
  workspace: Pick<Workspace, 'listBase' | 'readBase'>,
  changes: readonly WorkspaceChange[],
): Promise<string[]> {
  const files = new Set((await workspace.listBase()).flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])))
  const place = CODEOWNERS_PLACES.find((path) => files.has(path))
  const bytes = place === undefined ? null : await readSmall(workspace, place)
  if (bytes === null || bytes.length > MAX_CODEOWNERS_BYTES) return []
  const file = decodeText(bytes)
  return typeof file === 'string'
    ? []
    : listCodeOwners(
        file.text,
        changes.map(({ path }) => path),
      )
}

/** Null for what is too large to be read here: nobody is asked then. */
async function readSmall(workspace: Pick<Workspace, 'readBase'>, path: string): Promise<Uint8Array | null> {
  try {
    return await workspace.readBase(path)
  } catch (error) {
    if (error instanceof WorkspaceError) return null
    throw error
  }
}
