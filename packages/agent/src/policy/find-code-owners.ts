import { decodeText, type Workspace, type WorkspaceChange, WorkspaceError } from '@corrigenda/git/workspace'
import { CODEOWNERS_PLACES, listCodeOwners, MAX_CODEOWNERS_BYTES } from './list-code-owners.ts'

/**
 * Returns the owners of the changed files according to the base commit's CODEOWNERS file and
 * GitHub's rules. Returns an empty list if that file is missing or cannot be read.
 */
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

/** Returns a file's bytes, or null if the file cannot be read, for example because it is too large. */
async function readSmall(workspace: Pick<Workspace, 'readBase'>, path: string): Promise<Uint8Array | null> {
  try {
    return await workspace.readBase(path)
  } catch (error) {
    if (error instanceof WorkspaceError) return null
    throw error
  }
}
