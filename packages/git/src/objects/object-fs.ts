import type { PromiseFsClient } from 'isomorphic-git'

/** Virtual repository path for isomorphic-git. No file below it exists on disk. */
export const VIRTUAL_GITDIR = '/git'

/**
 * Builds the `fs` client for isomorphic-git. `files` contains the bytes of all files, keyed by path
 * relative to the gitdir. `onWrite` receives bytes before they are stored and can throw to reject
 * them.
 */
export function buildObjectFs(
  files: Map<string, Uint8Array>,
  onWrite?: (path: string, bytes: Uint8Array) => Promise<void>,
): PromiseFsClient {
  const toKey = (path: string) => (path.startsWith(`${VIRTUAL_GITDIR}/`) ? path.slice(VIRTUAL_GITDIR.length + 1) : path)

  const readFile = async (path?: string, options?: unknown) => {
    const key = path === undefined ? '' : toKey(path)
    const bytes = files.get(key)
    if (!bytes) throw MISSING
    return isText(options) ? Buffer.from(bytes).toString('utf8') : bytes
  }

  const readdir = async (path: string) => {
    const key = toKey(path)
    const names = new Set<string>()
    const prefix = `${key}/`
    for (const file of files.keys()) {
      if (file.startsWith(prefix)) names.add(file.slice(prefix.length).split('/')[0] ?? '')
    }
    return [...names]
  }

  const stat = async (path: string) => {
    const key = toKey(path)
    const bytes = files.get(key)
    if (bytes) return toStats(false, bytes.byteLength)
    if (key === VIRTUAL_GITDIR || (await readdir(path)).length > 0) return toStats(true, 0)
    throw MISSING
  }

  const refuse = async () => {
    throw Object.assign(new Error('not supported'), { code: 'ENOTSUP' })
  }

  return {
    promises: {
      readFile,
      readdir,
      stat,
      lstat: stat,
      writeFile: async (path: string, bytes: Uint8Array | string) => {
        const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
        await onWrite?.(toKey(path), content)
        files.set(toKey(path), content)
      },
      unlink: async (path: string) => {
        if (!files.delete(toKey(path))) throw MISSING
      },
      mkdir: async () => undefined,
      rmdir: async () => undefined,
      readlink: refuse,
      symlink: refuse,
    },
  }
}

function isText(options: unknown): boolean {
  return options === 'utf8' || (typeof options === 'object' && options !== null && 'encoding' in options)
}

/**
 * A shared error object, because the error is thrown and caught for every object read, and
 * capturing a stack trace would cost more than the read.
 */
const MISSING = Object.assign(new Error('no such file'), { code: 'ENOENT' })

function toStats(directory: boolean, size: number) {
  return {
    type: directory ? 'dir' : 'file',
    mode: directory ? 0o40755 : 0o100644,
    size,
    ino: 0,
    mtimeMs: 0,
    ctimeMs: 0,
    uid: 0,
    gid: 0,
    dev: 0,
    isFile: () => !directory,
    isDirectory: () => directory,
    isSymbolicLink: () => false,
  }
}
