import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What is remembered about the embedded server: where its data is and its password. */
export interface State {
  readonly dataDir: string
  readonly password: string
}

const file = (stateDir: string) => path.join(stateDir, 'postgres.json')

export async function readState(stateDir: string): Promise<State | null> {
  const text = await readFile(file(stateDir), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const { dataDir, password } = JSON.parse(text)
    if (typeof dataDir === 'string' && typeof password === 'string') return { dataDir, password }
  } catch {}
  throw new Error(
    `${file(stateDir)} is damaged. Restore it, or remove the folder ${stateDir} to start with an empty database.`,
  )
}

/**
 * Answers the state below `stateDir`, creating it on the first call. When the server's account cannot enter the folder
 * (a private parent), its data goes to `sharedDir` under a random name that only the state knows.
 */
export async function ensureState(stateDir: string, sharedDir: string, foreignAccount: boolean): Promise<State> {
  await mkdir(stateDir, { recursive: true })
  const known = await readState(stateDir)
  if (known) return known
  const reachable = !foreignAccount || (await isOpenToOthers(stateDir))
  const dataDir = reachable
    ? path.join(stateDir, 'postgres')
    : path.join(sharedDir, `data-${randomBytes(8).toString('hex')}`)
  const state = { dataDir, password: randomBytes(24).toString('hex') }
  await writeFile(file(stateDir), `${JSON.stringify(state)}\n`, { mode: 0o600, flag: 'wx' })
  return state
}

/** May every user enter this folder? False when one of its parents is private. */
export async function isOpenToOthers(dir: string): Promise<boolean> {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    const info = await stat(at)
    if ((info.mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}
