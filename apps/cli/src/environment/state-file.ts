import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/**
 * Returns the embedded-mode secret. The first call creates it in the state folder, in a file that
 * only its owner can read.
 */
export async function ensureSecret(stateDir: string): Promise<string> {
  const file = path.join(stateDir, 'secret')
  await mkdir(stateDir, { recursive: true })
  const fresh = randomBytes(32).toString('hex')
  const isCreated = await writeFile(file, `${fresh}\n`, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false,
  )
  return isCreated ? fresh : (await readFile(file, 'utf8')).trim()
}

/** Returns the embedded-mode secret, or null if it has not been created. */
export async function findSecret(stateDir: string): Promise<string | null> {
  const text = await findText(path.join(stateDir, 'secret'))
  return text?.trim() || null
}

/** State of the demo's local Git host, kept between starts so that links stay valid. */
const DemoHost = z.object({ port: z.number().int(), token: z.string(), authority: z.string() })
type DemoHost = z.infer<typeof DemoHost>

export async function findDemoHost(stateDir: string): Promise<DemoHost | null> {
  const text = await findText(path.join(stateDir, 'git-host.json'))
  return text === null ? null : DemoHost.parse(JSON.parse(text))
}

export async function saveDemoHost(stateDir: string, host: DemoHost): Promise<void> {
  await writeFile(path.join(stateDir, 'git-host.json'), `${JSON.stringify(host)}\n`, { mode: 0o600 })
}

/** The quickstart's jobs by project and prompt, so that a second start does not repeat one. */
const FirstJobs = z.record(z.string(), z.string())

const toFirstJobKey = (projectId: string, prompt: string): string => `${projectId} ${prompt}`

export async function findFirstJob(stateDir: string, projectId: string, prompt: string): Promise<string | null> {
  const text = await findText(path.join(stateDir, 'quickstart.json'))
  return text === null ? null : (FirstJobs.parse(JSON.parse(text))[toFirstJobKey(projectId, prompt)] ?? null)
}

export async function saveFirstJob(stateDir: string, projectId: string, prompt: string, id: string): Promise<void> {
  const file = path.join(stateDir, 'quickstart.json')
  const text = await findText(file)
  const jobs = text === null ? {} : FirstJobs.parse(JSON.parse(text))
  await writeFile(file, `${JSON.stringify({ ...jobs, [toFirstJobKey(projectId, prompt)]: id })}\n`, { mode: 0o600 })
}

/** Remembers the public URL of the service, for commands that are run in another terminal. */
export async function savePublicUrl(stateDir: string, url: string): Promise<void> {
  await writeFile(path.join(stateDir, 'public-url'), `${url}\n`)
}

/** Returns the public URL of the service that was started last, or null. */
export async function findPublicUrl(stateDir: string): Promise<string | null> {
  const text = await findText(path.join(stateDir, 'public-url'))
  return text?.trim() || null
}

/**
 * Reads a file. Returns null only if the file does not exist.
 * @throws Error that suggests a fix if the file exists but is unreadable
 */
async function findText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new Error(`Cannot read ${file} (${code}). Make it readable by this account, or run the command as its owner.`)
  }
}
