import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeDataOwner } from './data-owner.ts'

/**
 * Folder for data and programs whose default location is private and therefore inaccessible to an
 * unprivileged server.
 */
export const SHARED_DIR = '/var/lib/corrigenda'

/** The embedded server's stored state: the absolute path of its data and its password. */
export interface State {
  readonly dataDir: string
  readonly password: string
}

const STATE_FILE = 'postgres.json'
const LOCAL_DATA = 'postgres'

/**
 * Reads `postgres.json`. A data folder inside the state folder is stored as a relative path, so
 * that the state folder can be moved. Only a data folder created in `SHARED_DIR` has an absolute
 * path. Rejects all other paths, because the server's programs write there on behalf of root.
 * @returns null when the file does not exist.
 * @throws Error when the file is damaged or refers to another folder.
 */
export async function readState(stateDir: string): Promise<State | null> {
  const file = path.join(stateDir, STATE_FILE)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`${STATE_FILE} in the state folder cannot be read (${error.code}). Make it readable for this user.`)
  })
  if (text === null) return null
  const parsed = parse(text)
  if (!parsed) {
    throw new Error(`${file} is damaged. Restore it, or remove the folder ${stateDir} to start with an empty database.`)
  }
  const local = path.join(stateDir, LOCAL_DATA)
  if (parsed.dataDir === LOCAL_DATA || parsed.dataDir === local) return { ...parsed, dataDir: local }
  if (isSharedData(parsed.dataDir, SHARED_DIR)) return parsed
  throw new Error(
    `"dataDir" in ${STATE_FILE} refers to a folder that does not belong to the embedded server. Set it to "${LOCAL_DATA}" (the folder next to ${STATE_FILE}), or to the data-… folder in ${SHARED_DIR} that was created for the server.`,
  )
}

function parse(text: string): State | null {
  try {
    const { dataDir, password } = JSON.parse(text)
    return typeof dataDir === 'string' && typeof password === 'string' ? { dataDir, password } : null
  } catch {
    return null
  }
}

/** Returns true for a data folder that `ensureState` created in `sharedDir`. */
export const isSharedData = (dataDir: string, sharedDir: string): boolean =>
  path.dirname(dataDir) === sharedDir && /^data-[0-9a-f]{16}$/.test(path.basename(dataDir))

/**
 * Returns the state stored in `stateDir` and creates it on the first call. If the server's account
 * cannot access the folder because a parent folder is private, places the data in `SHARED_DIR` under
 * a random name. Of several concurrent first calls, one creates the state and the others return it.
 */
export async function ensureState(stateDir: string, foreignAccount: boolean): Promise<State> {
  await mkdir(stateDir, { recursive: true })
  const state = (await readState(stateDir)) ?? (await createState(stateDir, foreignAccount))
  if (foreignAccount && isSharedData(state.dataDir, SHARED_DIR)) await writeDataOwner(state.dataDir, { stateDir })
  return state
}

async function createState(stateDir: string, foreignAccount: boolean): Promise<State> {
  const reachable = !foreignAccount || (await isOpenToOthers(stateDir))
  const dataDir = reachable ? LOCAL_DATA : path.join(SHARED_DIR, `data-${randomBytes(8).toString('hex')}`)
  const password = randomBytes(24).toString('hex')
  // Writes a temporary file and links it, so that the file is complete when its name appears, and
  // only the first call creates it.
  const aside = path.join(stateDir, `${STATE_FILE}.${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(aside, `${JSON.stringify({ dataDir, password })}\n`, { mode: 0o600, flag: 'wx' })
    await link(aside, path.join(stateDir, STATE_FILE)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(aside, { force: true })
  }
  const state = await readState(stateDir)
  if (!state) throw new Error(`${STATE_FILE} was removed from the state folder while the server was starting.`)
  return state
}

/** Returns true if all users can access this folder and all of its parent folders. */
export async function isOpenToOthers(dir: string): Promise<boolean> {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    const info = await stat(at)
    if ((info.mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}
