import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
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
  await removeAbandoned(memory)
  const parent = (await hasSpace(memory, needed)) ? memory : os.tmpdir()
  const dir = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`))
  await chmod(dir, 0o755)
  return dir
}

/** Removes the folders of killed processes, which would occupy memory. */
async function removeAbandoned(memory: string): Promise<void> {
  for (const name of await readdir(memory).catch(() => [])) {
    const pid = /^corrigenda-[a-z-]+-(\d+)-\w{6}$/.exec(name)?.[1]
    // A server that is still stopping may write to the folder.
    if (pid && !isAlive(Number(pid)))
      await rm(path.join(memory, name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A file system in memory can be larger than the free memory. */
async function hasSpace(dir: string, needed: number): Promise<boolean> {
  if (os.freemem() < needed) return false
  const found = await statfs(dir).catch(() => null)
  return found !== null && found.bavail * found.bsize >= needed
}
