import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const POLL_MS = 25
/**
 * Required for every synchronous stat. In Node 20, a stat of a FIFO without `bigint` leaves stale
 * values behind. They make the module loader treat the next symlink as a plain folder, and later
 * imports fail.
 */
const EXACT = { bigint: true } as const

/**
 * Returns the path of the FIFO that tracks a server's users (the processes that use the server).
 * Each user keeps the write end open, and the server's keeper (see launchServer) reads from the
 * FIFO. The keeper reaches the end of the file when the last user has exited for any reason. The
 * kernel tracks the users, so no stale entries can remain.
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
  throw new Error('The user list of the embedded PostgreSQL is not a FIFO.')
}

/** Returns true when `fd` refers to the FIFO with this name. */
export function isSameFile(fd: number, file: string): boolean {
  const named = statSync(file, { throwIfNoEntry: false, ...EXACT })
  const held = fstatSync(fd, EXACT)
  return named !== undefined && named.ino === held.ino && named.dev === held.dev
}

/**
 * Returns true while the server's keeper is running. The keeper removes the FIFO under either name
 * when it exits.
 */
export const isPublished = (file: string): boolean => existsSync(file) || existsSync(`${file}.closed`)

/**
 * Registers as a user of a running server until `leaveUsers` is called.
 * @returns the open descriptor, or null when the server is stopping or its FIFO does not have its
 * final name yet. In both cases, the caller must check again.
 */
export function joinUsers(file: string): number | null {
  let fd: number
  try {
    fd = openWriter(file)
  } catch {
    return null
  }
  try {
    // The keeper renames the FIFO and reads once more before it stops the server. Either it reads
    // this line, or the check below finds that the name is gone.
    writeSync(fd, '\n')
    if (isSameFile(fd, file)) return fd
  } catch {}
  closeSync(fd)
  return null
}

/** Unregisters as a user. The last user waits until the server has stopped. */
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
 * Returns true if the FIFO has a writer. A non-blocking read returns the end of the file if it has
 * no writer, and fails with EAGAIN otherwise.
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

/**
 * Writes back the lines that newly joined users have written, because they are intended for the
 * keeper.
 */
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
