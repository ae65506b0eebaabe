import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const POLL_MS = 25
/**
 * Always with this: in Node 20 a plain synchronous stat of a FIFO leaves numbers behind that make the module loader, in its next look at a symlink,
 * take it for a plain folder, and later imports fail.
 */
const EXACT = { bigint: true } as const

/**
 * The users of a server hold the writing end of a FIFO in its data folder, and the server's keeper reads it: it sees the end when the last user
 * is gone, however that ended. The kernel counts, so no lease can go stale.
 */
export const toUsersFile = (dataDir: string, serverPid: number): string => path.join(dataDir, `users.${serverPid}`)

/** Opens the FIFO for reading without waiting for a writer. */
export const openReader = (file: string): number => openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)

/** Opens the FIFO for writing. @throws ENXIO when nobody reads it. */
export function openWriter(file: string): number {
  const fd = openSync(file, O_WRONLY | O_NONBLOCK | O_NOFOLLOW)
  if (fstatSync(fd, EXACT).isFIFO()) return fd
  closeSync(fd)
  throw new Error('The list of the server’s users is not a FIFO.')
}

/** Is the FIFO behind `fd` the one with this name? */
export function isSameFile(fd: number, file: string): boolean {
  const named = statSync(file, { throwIfNoEntry: false, ...EXACT })
  const held = fstatSync(fd, EXACT)
  return named !== undefined && named.ino === held.ino && named.dev === held.dev
}

/** Is the server's keeper still there? It takes both names with it. */
export const isPublished = (file: string): boolean => existsSync(file) || existsSync(`${file}.closed`)

/**
 * Becomes a user of a running server: it stays until `leaveUsers`.
 * @returns the held descriptor, or null when the server is about to end (or is not yet published): look again.
 */
export function joinUsers(file: string): number | null {
  let fd: number
  try {
    fd = openWriter(file)
  } catch {
    return null
  }
  try {
    // The keeper moves the name away and reads once more before it ends the server. It finds this line, or we find the name gone.
    writeSync(fd, '\n')
    if (isSameFile(fd, file)) return fd
  } catch {}
  closeSync(fd)
  return null
}

/** Stops being a user; when that was the last one, waits until the server is gone. */
export async function leaveUsers(file: string, fd: number, isGone: () => Promise<boolean>): Promise<void> {
  const probe = tryOpenReader(file)
  closeSync(fd)
  try {
    while (!(await isGone())) {
      if (probe !== null && hasWriters(probe, file)) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    if (probe !== null) closeSync(probe)
  }
}

function tryOpenReader(file: string): number | null {
  try {
    return openReader(file)
  } catch {
    return null
  }
}

/** Reading a FIFO without waiting gives the end when nobody holds it for writing, and EAGAIN when somebody does. */
function hasWriters(probe: number, file: string): boolean {
  const buffer = Buffer.alloc(64)
  let taken: number
  try {
    taken = readSync(probe, buffer)
  } catch {
    return true
  }
  if (taken > 0) giveBack([file, `${file}.closed`], taken)
  return taken > 0
}

/** The lines of a user that just joined are meant for the keeper. */
function giveBack(files: readonly string[], count: number): void {
  for (const file of files) {
    try {
      const fd = openWriter(file)
      writeSync(fd, '\n'.repeat(count))
      closeSync(fd)
      return
    } catch {}
  }
}
