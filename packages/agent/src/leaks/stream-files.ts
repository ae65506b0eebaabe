import { type WorkspaceEntry, WorkspaceError } from '@corrigenda/git/workspace'

export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

const PARALLEL = 16
/** Bytes between two yields to the event loop. */
const SLICE_BYTES = 512 * 1024

/**
 * Yields the files in order. Skips files that the reader refuses, for example because of their size,
 * because the agent cannot read them either. Yields to the event loop regularly.
 * @throws any other read error, so that an incomplete comparison never appears complete
 */
export async function* streamFiles(
  entries: readonly WorkspaceEntry[],
  read: (path: string) => Promise<Uint8Array | null>,
): AsyncGenerator<SourceFile> {
  const files = entries.filter(({ kind }) => kind === 'file')
  let slice = 0
  for (let start = 0; start < files.length; start += PARALLEL) {
    const batch = files.slice(start, start + PARALLEL)
    const contents = await Promise.all(batch.map(({ path }) => findContent(read, path)))
    for (const [index, bytes] of contents.entries()) {
      const path = batch[index]?.path
      if (bytes === null || path === undefined) continue
      yield { path, bytes }
      slice += bytes.length
      if (slice < SLICE_BYTES) continue
      slice = 0
      await new Promise((resolve) => setImmediate(resolve))
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
