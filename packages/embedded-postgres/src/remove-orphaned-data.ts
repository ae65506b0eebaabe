import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { findDataOwner, toOwnerFile, writeDataOwner } from './data-owner.ts'
import { isAlive, readLock } from './read-lock.ts'
import { isSharedData } from './state.ts'

/** A state folder that was renamed, or whose disk is away, has this long to be started again before its data goes. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Removes the data folders in `sharedDir` whose recorded state folder has been gone, or has not named them, for a week. Never touches a folder
 * without a record or with a live server. The first call that finds one orphaned only notes the time.
 * @param now milliseconds since the epoch
 */
export async function removeOrphanedData(sharedDir: string, now: number): Promise<void> {
  const names = await readdir(sharedDir).catch(() => [])
  for (const ownerFile of names.filter((name) => name.endsWith('.json'))) {
    const dataDir = path.join(sharedDir, ownerFile.slice(0, -'.json'.length))
    if (!isSharedData(dataDir, sharedDir)) continue
    const owner = await findDataOwner(dataDir)
    if (!owner || (await isNamedBy(owner.stateDir, dataDir))) continue
    const lock = await readLock(dataDir)
    if (lock && isAlive(lock.pid)) continue
    if (owner.missingSince === undefined) await writeDataOwner(dataDir, { ...owner, missingSince: now })
    else if (now - owner.missingSince > GRACE_MS) {
      const staged = names.filter((name) => name.startsWith(`${path.basename(dataDir)}.initdb-`))
      const doomed = [dataDir, ...staged.map((name) => path.join(sharedDir, name)), toOwnerFile(dataDir)]
      for (const at of doomed) await rm(at, { recursive: true, force: true })
    }
  }
}

/** Does the state folder name this data? Yes when that cannot be told: only a certain no may cost data. */
async function isNamedBy(stateDir: string, dataDir: string): Promise<boolean> {
  try {
    return JSON.parse(await readFile(path.join(stateDir, 'postgres.json'), 'utf8')).dataDir === dataDir
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  }
}
