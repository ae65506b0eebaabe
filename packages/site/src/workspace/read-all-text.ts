import { decodeText } from './text-file.ts'
import { isRefused, type Workspace, type WorkspaceEntry } from './workspace.ts'

const BINARY =
  /\.(png|jpe?g|gif|webp|avif|ico|bmp|pdf|zip|gz|tgz|bz2|xz|7z|woff2?|ttf|otf|eot|mp[34]|webm|mov|wasm|jar|exe|dll|so|dylib|bin)$/i
const MAX_FILE_BYTES = 1_048_576
const PARALLEL = 16

/**
 * Yields the text of these files in order, with LF line endings. Skips binary files and files that
 * the workspace refuses to read, for example because of their size.
 * @throws any other read error, so that a search over some of the
 *   files never appears complete
 */
export async function* readAllText(
  workspace: Pick<Workspace, 'read'>,
  entries: readonly WorkspaceEntry[],
): AsyncGenerator<{ path: string; text: string }> {
  const files = entries.filter((entry) => entry.kind === 'file' && !BINARY.test(entry.path))
  for (let start = 0; start < files.length; start += PARALLEL) {
    const batch = files.slice(start, start + PARALLEL)
    const contents = await Promise.all(batch.map((entry) => findContent(workspace, entry.path)))
    for (const [index, bytes] of contents.entries()) {
      const path = batch[index]?.path
      if (bytes === null || path === undefined || bytes.length > MAX_FILE_BYTES) continue
      const file = decodeText(bytes)
      if (typeof file !== 'string') yield { path, text: file.text }
    }
  }
}

async function findContent(workspace: Pick<Workspace, 'read'>, path: string): Promise<Uint8Array | null> {
  try {
    return await workspace.read(path)
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}
