import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Stable releases only: the others replace their packages every few days. */
const SUITES = ['bookworm', 'trixie']

interface AptConfig {
  readonly env: Record<string, string>
}

const UPDATED = new Map<string, Promise<AptConfig>>()

/**
 * Writes an apt configuration with source packages below a folder and downloads their lists. The
 * addresses are those of the system's own Debian sources. Changes nothing in `/etc`.
 * @throws Error if the system has no Debian sources
 */
export function writeAptConfig(folder: string): Promise<AptConfig> {
  const known = UPDATED.get(folder) ?? write(folder)
  UPDATED.set(folder, known)
  return known
}

async function write(folder: string): Promise<AptConfig> {
  const { uri, key } = await findDebian()
  for (const part of ['parts', 'lists/partial', 'cache/archives/partial'])
    await mkdir(join(folder, part), { recursive: true })
  const source = `Types: deb-src\nURIs: ${uri}\nSuites: ${SUITES.join(' ')}\nComponents: main\nSigned-By: ${key}\n`
  await writeFile(join(folder, 'parts', 'sources.sources'), source)
  const config = [
    'Dir::Etc::sourcelist "/dev/null";',
    `Dir::Etc::sourceparts "${join(folder, 'parts')}";`,
    `Dir::State::lists "${join(folder, 'lists')}";`,
    `Dir::Cache "${join(folder, 'cache')}";`,
    'APT::Sandbox::User "root";',
  ]
  await writeFile(join(folder, 'apt.conf'), `${config.join('\n')}\n`)
  const env: Record<string, string> = {
    APT_CONFIG: join(folder, 'apt.conf'),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
  }
  if ((await readdir(join(folder, 'lists'))).every((name) => !name.includes('Sources')))
    await run('apt-get', ['update', '--quiet'], { env, timeout: 900_000 })
  return { env }
}

/** Finds the address and the key of the main Debian archive in the system's sources. */
async function findDebian(): Promise<{ uri: string; key: string }> {
  const folder = '/etc/apt/sources.list.d'
  // Without the folder, the error below names the missing sources.
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((own) => own.endsWith('.sources'))) {
    for (const block of (await readFile(join(folder, name), 'utf8')).split(/\n\s*\n/)) {
      const uri = /^URIs:\s*(\S+\/debian\/?)\s*$/m.exec(block)?.[1]
      const key = /^Signed-By:\s*(\S+)/m.exec(block)?.[1]
      if (uri !== undefined && key !== undefined) return { uri, key }
    }
  }
  throw new Error('The system has no Debian sources, so Debian source packages cannot be downloaded.')
}
