import { execFile } from 'node:child_process'
import { access, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Path of a Redis (or Valkey) server program. On Debian as root it is installed when missing, without starting the system's service.
 * @throws Error with the one line that says what to install
 */
export async function ensureRedisServer(say: (line: string) => void = () => {}): Promise<string> {
  const found = await findProgram()
  if (found) return found
  if (process.getuid?.() === 0 && (await findOnPath('apt-get'))) {
    say('Installing redis-server (the tests run the queue on a real Redis)...')
    await installFromDebian()
    const installed = await findProgram()
    if (installed) return installed
  }
  throw new Error(
    'The tests need a Redis server program: install redis-server (Debian: apt-get install redis-server) or valkey-server.',
  )
}

const findProgram = async () => (await findOnPath('redis-server')) ?? (await findOnPath('valkey-server'))

async function findOnPath(name: string): Promise<string | null> {
  for (const dir of [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin']) {
    const file = path.join(dir, name)
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return null
}

async function installFromDebian(): Promise<void> {
  // Debian starts a service it installs unless this file says no.
  const policy = '/usr/sbin/policy-rc.d'
  const ours = await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' }).then(
    () => true,
    () => false,
  )
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { env })
    await install().catch(async () => {
      await run('apt-get', ['update'], { env })
      await install()
    })
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split('\n')
      .at(-1)
    throw new Error(
      `redis-server could not be installed (${reason}). Install it by hand: apt-get install redis-server.`,
    )
  } finally {
    if (ours) await rm(policy, { force: true })
  }
}
