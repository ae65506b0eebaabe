import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Age in milliseconds after which an untouched lease expires, because its process has presumably
 * exited.
 */
const LEASE_TTL_MS = 5 * 60_000
export const LEASE_TOUCH_MS = 60_000

export interface MirrorVersionLease {
  touch(): Promise<void>
  release(): Promise<void>
}

/**
 * Leases a version, which prevents its removal by any process.
 * @throws if the version no longer exists
 */
export async function leaseMirrorVersion(dir: string): Promise<MirrorVersionLease> {
  const path = join(dir, 'leases', `${process.pid}-${randomUUID()}`)
  await writeFile(path, '', { flag: 'wx' })
  return {
    touch: () => utimes(path, new Date(), new Date()),
    release: () => rm(path, { force: true }),
  }
}

export async function isLeased(dir: string): Promise<boolean> {
  const names = await readdir(join(dir, 'leases')).catch(() => [])
  for (const name of names) {
    const facts = await stat(join(dir, 'leases', name)).catch(() => null)
    if (facts && Date.now() - facts.mtimeMs < LEASE_TTL_MS) return true
  }
  return false
}
