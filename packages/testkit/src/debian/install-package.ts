import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findProgram } from './find-program.ts'

const run = promisify(execFile)
const POLICY = '/usr/sbin/policy-rc.d'

/** Returns true if {@link installPackage} can run, which requires root and apt-get. */
export async function canInstallPackages(): Promise<boolean> {
  return process.getuid?.() === 0 && (await findProgram(['apt-get'])) !== null
}

/**
 * Installs a Debian package without starting its service. Concurrent processes take turns.
 * @param isThere checked while holding the lock, because another process may have installed the
 *   package while this one waited
 * @throws Error with a one-line message that describes the manual step
 */
export async function installPackage(name: string, isThere: () => Promise<boolean>): Promise<void> {
  const unlock = await takeLock(path.join(os.tmpdir(), 'corrigenda-apt.lock'))
  // Debian starts installed services unless this script forbids it.
  const ours = await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' }).then(
    () => true,
    () => false,
  )
  try {
    if (await isThere()) return
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', name], { env })
    await install().catch(async () => {
      await run('apt-get', ['update'], { env })
      await install()
    })
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split('\n')
      .at(-1)
    throw new Error(`Installing ${name} failed (${reason}). Install it manually: apt-get install ${name}.`)
  } finally {
    if (ours) await rm(POLICY, { force: true })
    await unlock()
  }
}

/**
 * Takes a lock by creating a folder, which succeeds in exactly one process. A file in the folder
 * contains the owner's process ID, so that the lock is removed if its owner has died.
 */
async function takeLock(dir: string): Promise<() => Promise<void>> {
  const owner = path.join(dir, 'pid')
  for (;;) {
    const mine = await mkdir(dir).then(
      () => true,
      () => false,
    )
    if (mine) {
      await writeFile(owner, String(process.pid))
      return () => rm(dir, { recursive: true, force: true })
    }
    await sleep(200)
    const pid = Number(await readFile(owner, 'utf8').catch(() => process.pid))
    if (!isAlive(pid)) await rm(dir, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
