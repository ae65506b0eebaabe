import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The owner of a data folder that is not inside its state folder. Stored in a file next to the
 * data.
 */
interface DataOwner {
  /** Absolute path of the state folder that refers to the data. */
  readonly stateDir: string
  /** When the reference was first found missing, in milliseconds since the epoch. */
  readonly missingSince?: number
}

export const toOwnerFile = (dataDir: string): string => `${dataDir}.json`

/** Records the owner of the data, replacing an earlier record. */
export async function writeDataOwner(dataDir: string, owner: DataOwner): Promise<void> {
  await mkdir(path.dirname(dataDir), { recursive: true, mode: 0o755 })
  const aside = `${toOwnerFile(dataDir)}.${randomBytes(8).toString('hex')}`
  await writeFile(aside, `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(aside, toOwnerFile(dataDir))
}

/** Returns the owner of the data, or null when the record is missing or unreadable. */
export async function findDataOwner(dataDir: string): Promise<DataOwner | null> {
  try {
    const { stateDir, missingSince } = JSON.parse(await readFile(toOwnerFile(dataDir), 'utf8'))
    if (typeof stateDir !== 'string') return null
    return typeof missingSince === 'number' ? { stateDir, missingSince } : { stateDir }
  } catch {
    return null
  }
}
