import { decodeText } from './text-file.ts'
import type { Workspace, WorkspaceEntry } from './workspace.ts'

const BINARY =
  /\.(png|jpe?g|gif|webp|avif|ico|bmp|pdf|zip|gz|tgz|bz2|xz|7z|woff2?|ttf|otf|eot|mp[34]|webm|mov|wasm|jar|exe|dll|so|dylib|bin)$/i
const MAX_FILE_BYTES = 1_048_576
const PARALLEL = 16

/** The text of these files in order, LF line ends; binary, oversized and unreadable ones are left out. */
export async function* readAllText(
  workspace: Workspace,
  entries: readonly WorkspaceEntry[],
): AsyncGenerator<{ path: string; text: string }> {
  const files = entries.filter((entry) => entry.kind === 'file' && !BINARY.test(entry.path))
  for (let start = 0; start < files.length; start += PARALLEL) {
    const batch = files.slice(start, start + PARALLEL)
    const contents = await Promise.all(batch.map((entry) => workspace.read(entry.path).catch(() => null)))
    for (const [index, bytes] of contents.entries()) {
      const path = batch[index]?.path
      if (bytes === null || path === undefined || bytes.length > MAX_FILE_BYTES) continue
      const file = decodeText(bytes)
      if (typeof file !== 'string') yield { path, text: file.text }
    }
  }
}
