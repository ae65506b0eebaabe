import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Whose a data folder outside its state folder is; kept in a file beside the data. */
export interface DataOwner {
  /** Absolute path of the state folder that names the data. */
  readonly stateDir: string
  /** Since when that folder is known not to name it any more: milliseconds since the epoch. */
  readonly missingSince?: number
}

export const toOwnerFile = (dataDir: string): string => `${dataDir}.json`

/** Records whose the data is, replacing what was recorded. */
export async function writeDataOwner(dataDir: string, owner: DataOwner): Promise<void> {
  await mkdir(path.dirname(dataDir), { recursive: true, mode: 0o755 })
  const aside = `${toOwnerFile(dataDir)}.${randomBytes(8).toString('hex')}`
  await writeFile(aside, `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(aside, toOwnerFile(dataDir))
}

/** Whose the data is, or null when that is not recorded or not readable. */
export async function findDataOwner(dataDir: string): Promise<DataOwner | null> {
  try {
    const { stateDir, missingSince } = JSON.parse(await readFile(toOwnerFile(dataDir), 'utf8'))
    if (typeof stateDir !== 'string') return null
    return typeof missingSince === 'number' ? { stateDir, missingSince } : { stateDir }
  } catch {
    return null
  }
}
