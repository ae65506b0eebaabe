import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How a program is started so that it cannot read the credentials of this process. */
export interface Isolation {
  /** Command that runs another command. Empty for none. */
  readonly prefix: readonly string[]
  /** User and group that the program runs as; null for the current ones. */
  readonly user: number | null
}

/** User and group `nobody`, which own no files. */
const NOBODY = 65_534
/** New namespaces: no network, and no other processes. */
const NAMESPACES = ['--map-current-user', '--net', '--pid', '--fork', '--mount-proc']
/** Prints the environments of all processes that it may read. */
const PROBE = 'cat /proc/[0-9]*/environ 2>/dev/null; exit 0'

/**
 * Returns the strongest isolation that this system allows. Each one is tried, and it must hide the
 * environments of all processes that belong to this process's user, because they can contain
 * credentials. Returns null if no isolation does. On systems without `/proc`, there is nothing to
 * hide.
 * @param folders folders to search for programs
 * @param user the user to run programs as
 */
export async function findIsolation(
  folders: readonly string[],
  user: number | null = process.getuid?.() === 0 ? NOBODY : null,
): Promise<Isolation | null> {
  const unshare = await findProgram(folders, 'unshare')
  const prefixes =
    unshare === null ? [[]] : [[unshare, ...NAMESPACES, '--'], [unshare, '--map-current-user', '--net', '--'], []]
  const secrets = await readEnvironments()
  for (const prefix of prefixes) {
    const isolation = { prefix, user }
    const seen = await probe(isolation, folders)
    if (seen !== null && !secrets.some((secret) => seen.includes(secret))) return isolation
  }
  return null
}

/** Returns the path of a program in the first folder that contains it, or null. */
export async function findProgram(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return null
}

/** Options of `spawn` for the isolation's user. */
export const toIdentity = ({ user }: Isolation) => (user === null ? {} : { uid: user, gid: user })

async function readEnvironments(): Promise<Buffer[]> {
  const found: Buffer[] = []
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue
    try {
      const folder = `/proc/${pid}`
      if ((await stat(folder)).uid !== process.getuid?.()) continue
      const text = await readFile(`${folder}/environ`)
      if (text.length > 0) found.push(text)
    } catch {
      // The process has ended, or not even this process may read it.
    }
  }
  return found
}

async function probe(isolation: Isolation, folders: readonly string[]): Promise<Buffer | null> {
  const [command = '/bin/sh', ...args] = [...isolation.prefix, '/bin/sh', '-c', PROBE]
  const child = spawn(command, args, {
    ...toIdentity(isolation),
    cwd: '/',
    env: { PATH: folders.join(':') },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (status) => resolve(status))
  })
  return code === 0 ? Buffer.concat(chunks) : null
}
