import { readSync } from 'node:fs'
import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { toPackIndex } from './pack-index.ts'
import type { PackSource } from './pack-source.ts'
import { RepositoryError } from './repository-error.ts'

/** A pack on disk. Its index is in memory, and its contents are read on demand. */
export interface OpenPack extends PackSource {
  /** Closes the file. Reads fail until it is reopened. */
  close(): Promise<void>
  reopen(): void
}

/**
 * Maximum size in bytes of synchronous reads. The data is usually in the page cache, so dispatching
 * to a thread would take longer.
 */
const SMALL_BYTES = 64 * 1024

/**
 * Opens a pack and its index.
 * @param path path of the pack, whose index is in the same directory
 * @throws if either file does not exist
 * @throws {RepositoryError} `corrupt_pack`
 */
export async function openPack(path: string): Promise<OpenPack> {
  const index = toPackIndex(await readFile(path.replace(/\.pack$/, '.idx')))
  const { size } = await stat(path)
  let file: Promise<FileHandle> | null = null
  let ready: FileHandle | null = null
  let closed = false

  const readFrom = async (start: number, end: number): Promise<Buffer> => {
    file ??= open(path)
    const handle = await file.catch((error) => {
      file = null
      throw error
    })
    ready = handle
    const bytes = Buffer.allocUnsafe(end - start)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
    return checkLength(bytes, bytesRead)
  }

  return {
    index,
    size,
    read(start, end) {
      if (closed) throw new RepositoryError('closed', 'The repository is no longer open.')
      if (end <= start) throw new Error('A pack is truncated.')
      if (!ready || end - start > SMALL_BYTES) return readFrom(start, end)
      const bytes = Buffer.allocUnsafe(end - start)
      return checkLength(bytes, readSync(ready.fd, bytes, 0, bytes.length, start))
    },
    reopen() {
      closed = false
    },
    async close() {
      closed = true
      const opened = file
      file = null
      ready = null
      await opened?.then((handle) => handle.close()).catch(() => undefined)
    },
  }
}

function checkLength(bytes: Buffer, bytesRead: number): Buffer {
  if (bytesRead !== bytes.length) throw new Error('A pack is truncated.')
  return bytes
}
