import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exitOf, lastLine } from './exit-of.ts'
import type { Account } from './find-account.ts'
import type { Binaries } from './find-binaries.ts'
import type { State } from './state.ts'

/**
 * Creates the cluster on the first call. Builds it in a temporary folder and renames the folder
 * when it is complete, so that the data folder is never incomplete. Of several concurrent first
 * calls, one renames its folder and the others use its cluster. Never removes existing data.
 * @throws Error when the data folder contains other files, or when initdb fails.
 */
export async function ensureCluster(
  binaries: Binaries,
  state: State,
  account: Account | null,
  durable: boolean,
): Promise<void> {
  if (!(await isCluster(state.dataDir))) {
    const found = await readdir(state.dataDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    if (found.length > 0 && !(await isCluster(state.dataDir))) {
      throw new Error(
        `The data folder of the embedded PostgreSQL ("${path.basename(state.dataDir)}") contains files but no database. No files were changed. Move the files to another folder, or restore the database from a backup.`,
      )
    }
    await createCluster(binaries, state, account, durable)
  }
  await removeStaged(state.dataDir)
}

const isCluster = async (dir: string): Promise<boolean> =>
  (await stat(path.join(dir, 'PG_VERSION')).catch(() => null)) !== null

async function createCluster(binaries: Binaries, state: State, account: Account | null, durable: boolean) {
  const staged = `${state.dataDir}.initdb-${randomBytes(8).toString('hex')}`
  const passwordFile = `${staged}.password`
  await mkdir(path.dirname(staged), { recursive: true })
  try {
    await mkdir(staged, { mode: 0o700 })
    await writeFile(passwordFile, state.password, { mode: 0o600, flag: 'wx' })
    if (account) await Promise.all([staged, passwordFile].map((at) => chown(at, account.uid, account.gid)))
    const args = ['-D', staged, '-U', 'corrigenda', '-A', 'scram-sha-256', '--pwfile', passwordFile]
    args.push('-E', 'UTF8', '--locale=C', '--data-checksums')
    if (!durable) args.push('--no-sync')
    const child = spawn(binaries.initdb, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const code = await exitOf(child)
    if (code !== 0)
      throw new Error(
        `PostgreSQL could not initialize its data folder (initdb exited with ${code}): ${lastLine(output)}`,
      )
    await rename(staged, state.dataDir)
    if (durable) await sync(path.dirname(state.dataDir))
  } catch (error) {
    // Another process may have created the cluster first and removed this call's temporary folder.
    if (!(await isCluster(state.dataDir))) throw error
  } finally {
    await rm(passwordFile, { force: true })
    await rm(staged, { recursive: true, force: true })
  }
}

async function sync(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Removes the temporary folders of interrupted or slower starts. Once the cluster exists, these
 * folders are unused.
 */
async function removeStaged(dataDir: string): Promise<void> {
  const parent = path.dirname(dataDir)
  const prefix = `${path.basename(dataDir)}.initdb-`
  const left = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  for (const name of left) await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => {})
}
