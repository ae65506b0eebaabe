import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { findDataOwner, toOwnerFile, writeDataOwner } from './data-owner.ts'
import { isAlive, readLock } from './server-lock.ts'
import { isSharedData } from './state.ts'

/**
 * Grace period in milliseconds. If a state folder is renamed or temporarily missing, its data is
 * kept for this long.
 */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Removes the data folders in `sharedDir` whose recorded state folder has been missing, or has not
 * referred to them, for a week. Never removes a folder without a record or with a live server. The
 * first call that finds an orphaned folder only records the time.
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

/**
 * Returns true if the state folder refers to this data or if this cannot be determined. When in
 * doubt, data is kept.
 */
async function isNamedBy(stateDir: string, dataDir: string): Promise<boolean> {
  try {
    return JSON.parse(await readFile(path.join(stateDir, 'postgres.json'), 'utf8')).dataDir === dataDir
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  }
}
