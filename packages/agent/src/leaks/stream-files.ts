import { type WorkspaceEntry, WorkspaceError } from '@corrigenda/git/workspace'

export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

const PARALLEL = 16

/**
 * Yields the files in order. Skips files that the reader refuses, for example because of their size,
 * because the agent cannot read them either.
 * @throws any other read error, so that an incomplete comparison never appears complete
 */
export async function* streamFiles(
  entries: readonly WorkspaceEntry[],
  read: (path: string) => Promise<Uint8Array | null>,
): AsyncGenerator<SourceFile> {
  const files = entries.filter(({ kind }) => kind === 'file')
  for (let start = 0; start < files.length; start += PARALLEL) {
    const batch = files.slice(start, start + PARALLEL)
    const contents = await Promise.all(batch.map(({ path }) => findContent(read, path)))
    for (const [index, bytes] of contents.entries()) {
      const path = batch[index]?.path
      if (bytes === null || path === undefined) continue
      yield { path, bytes }
    }
  }
}

async function findContent(
  read: (path: string) => Promise<Uint8Array | null>,
  path: string,
): Promise<Uint8Array | null> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof WorkspaceError) return null
    throw error
  }
}
