import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const POLL_MS = 25
/**
 * Required for every synchronous stat. In Node 20 a stat of a FIFO without `bigint` leaves values
 * behind, so that the module loader treats the next symlink it checks as a plain folder, and later
 * imports fail.
 */
const EXACT = { bigint: true } as const

/**
 * Returns the path of the FIFO that counts the users of a server. The users hold its writing end
 * and the server's keeper reads it. The keeper reads the end of the file when the last user has
 * ended, in any way. The kernel counts the users, so no lease can become stale.
 */
export const toUsersFile = (dataDir: string, serverPid: number): string => path.join(dataDir, `users.${serverPid}`)

/** Opens the FIFO for reading without waiting for a writer. */
export const openReader = (file: string): number => openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)

/**
 * Opens the FIFO for writing.
 * @throws ENXIO when no process reads it.
 */
export function openWriter(file: string): number {
  const fd = openSync(file, O_WRONLY | O_NONBLOCK | O_NOFOLLOW)
  if (fstatSync(fd, EXACT).isFIFO()) return fd
  closeSync(fd)
  throw new Error('The list of users of the embedded PostgreSQL is not a FIFO.')
}

/** Returns true when `fd` refers to the FIFO with this name. */
export function isSameFile(fd: number, file: string): boolean {
  const named = statSync(file, { throwIfNoEntry: false, ...EXACT })
  const held = fstatSync(fd, EXACT)
  return named !== undefined && named.ino === held.ino && named.dev === held.dev
}

/** Returns true while the server's keeper runs. The keeper removes both names when it ends. */
export const isPublished = (file: string): boolean => existsSync(file) || existsSync(`${file}.closed`)

/**
 * Registers as a user of a running server until `leaveUsers`.
 * @returns the open descriptor, or null when the server is ending or not yet published. The caller
 * then checks again.
 */
export function joinUsers(file: string): number | null {
  let fd: number
  try {
    fd = openWriter(file)
  } catch {
    return null
  }
  try {
    // The keeper renames the FIFO and reads once more before it ends the server. Either it reads
    // this line, or the name is already gone here.
    writeSync(fd, '\n')
    if (isSameFile(fd, file)) return fd
  } catch {}
  closeSync(fd)
  return null
}

/** Stops being a user. The last user waits until the server has ended. */
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

/**
 * Returns true when the FIFO has a writer. A non-blocking read returns the end of the file without
 * a writer, and EAGAIN with one.
 */
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

/** Writes back the lines of a user that just joined, because they are intended for the keeper. */
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
