import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Memory in bytes that must be free, so that the databases of a test run cannot exhaust it. */
const NEEDED = 4 * 1024 ** 3

/**
 * Creates a temporary folder for the data of a test database. It is in memory if enough memory is
 * free, because ext4 searches all recently deleted inodes whenever a file is created. Since tests
 * create and drop databases of hundreds of files, this takes ten times as long as in memory.
 *
 * All users can read the folder, because a server that root starts runs as a different user.
 * @param prefix of the folder's name
 * @param memory a file system in memory
 */
export async function makeDatabaseDir(prefix: string, memory = '/dev/shm', needed = NEEDED): Promise<string> {
  const parent = (await hasSpace(memory, needed)) ? memory : os.tmpdir()
  const dir = await mkdtemp(path.join(parent, prefix))
  await chmod(dir, 0o755)
  return dir
}

/** A file system in memory can be larger than the free memory. */
async function hasSpace(dir: string, needed: number): Promise<boolean> {
  if (os.freemem() < needed) return false
  const found = await statfs(dir).catch(() => null)
  return found !== null && found.bavail * found.bsize >= needed
}
