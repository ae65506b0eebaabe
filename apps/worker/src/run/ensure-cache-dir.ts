import { lstat, mkdir } from 'node:fs/promises'

const WRITABLE_BY_OTHERS = 0o022

/**
 * Creates the cache folder (mode 0700) if it is missing, and checks that no other user can write to
 * it, because the worker runs Git and other tools on its contents.
 * @throws Error that states the problem with the folder and recommends setting CACHE_DIR
 */
export async function ensureCacheDir(dir: string): Promise<void> {
  // Removes a trailing slash, which would make lstat follow a link.
  const named = dir.replace(/(?<=[^/])\/+$/, '')
  await mkdir(named, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw toError(`cannot be created (${error.code})`)
  })
  const info = await lstat(named)
  if (info.isSymbolicLink()) throw toError('is a symbolic link')
  if (!info.isDirectory()) throw toError('is not a folder')
  if (process.getuid && info.uid !== process.getuid()) throw toError('belongs to another user')
  if ((info.mode & WRITABLE_BY_OTHERS) !== 0) throw toError('is writable by other users')
}

const toError = (problem: string) =>
  new Error(`The cache folder ${problem}. Set CACHE_DIR to a folder that only the worker's user can write to.`)
