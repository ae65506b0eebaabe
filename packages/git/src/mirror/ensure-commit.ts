import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { GitHttpError } from '../http/git-http-error.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { buildMirror } from './build-mirror.ts'
import { evictMirrors } from './evict-mirrors.ts'
import { forkFetch } from './fork-fetch.ts'
import type { CommitRequest, MirrorDeps } from './mirror-deps.ts'
import { BIRTH_LEASE, type MirrorVersion } from './mirror-version.ts'
import type { LeasedMirrorVersion } from './mirror-version-pool.ts'
import { withUpdateLock } from './update-lock.ts'
import { isTooLarge, updateMirrorVersion } from './update-mirror-version.ts'
import { writeAtomically } from './write-atomically.ts'

/** How long a repository that was too large is not downloaded again, in ms. */
const TOO_LARGE_MS = 3_600_000

/**
 * Returns a leased mirror version that contains the commit. Fetches only missing objects. Downloads
 * a new version if the mirror does not exist, is damaged or cannot be updated.
 * @throws {GitHttpError}
 * @throws {RepositoryError}
 */
export async function ensureCommit(deps: MirrorDeps, request: CommitRequest): Promise<LeasedMirrorVersion> {
  const { pool, settings, turns } = deps
  const mirrorDir = join(settings.cacheDir, request.key)
  const { commit } = request.tip
  const { signal } = request.http
  const ready = await pool.leaseCurrent(mirrorDir)
  if (ready?.version.has(commit)) return ready
  await ready?.release()
  await mkdir(mirrorDir, { recursive: true })
  return turns.run(request.key, signal, () =>
    withUpdateLock(join(mirrorDir, 'update.lock'), settings.lockTimes, signal, async () => {
      const current = await pool.leaseCurrent(mirrorDir)
      if (current) {
        try {
          await current.version.refresh()
          if (!current.version.has(commit)) await updateMirrorVersion(deps, current.version, request)
          return current
        } catch (error) {
          await current.release()
          checkWritable(error)
          if (!isWorthRebuilding(error)) throw error
          settings.log.warn(
            { mirror: request.key, reason: toReason(error) },
            'mirror update failed, rebuilding the mirror',
          )
          // An error caused by the host leaves the copy intact, so it is kept until the rebuild
          // succeeds.
          if (!isFromHost(error)) await pool.discard(current.version)
        }
      }
      return build(deps, request)
    }),
  )
}

/** Downloads the commit into a new version and makes that version current. */
async function build(deps: MirrorDeps, request: CommitRequest): Promise<LeasedMirrorVersion> {
  const { settings, pool, builds, closing } = deps
  const { signal } = request.http
  const mirrorDir = join(settings.cacheDir, request.key)
  const name = `g-${randomUUID()}`
  const dir = join(mirrorDir, `tmp-${name}`)
  const input = {
    http: { ...request.http, maxResponseBytes: settings.maxRepositoryBytes },
    dir,
    tip: request.tip,
    blobLimit: settings.blobLimit,
    limits: settings.limits,
  }
  await builds.run(request.tenant, signal, async () => {
    refuseTooLarge(deps, request.key)
    const startedAt = Date.now()
    try {
      const task = { kind: 'build', ...input } as const
      if (settings.child) await forkFetch({ task, ...settings.child, signals: [signal, closing] })
      else await buildMirror(input)
      await rename(dir, join(mirrorDir, name))
    } catch (error) {
      await rm(dir, { recursive: true, force: true })
      if (isTooLarge(error)) deps.tooLarge.set(request.key, { error, until: Date.now() + TOO_LARGE_MS })
      throw error
    }
    settings.log.info({ mirror: request.key, ms: Date.now() - startedAt }, 'repository copied')
  })
  const leased = await pool.lease(join(mirrorDir, name))
  await writeAtomically(join(mirrorDir, 'current'), name)
  await rm(join(mirrorDir, name, BIRTH_LEASE), { force: true })
  await evictMirrors(settings.cacheDir, settings.maxBytes)
  return leased
}

/** @throws the error of an earlier download that failed because the repository is too large */
function refuseTooLarge({ tooLarge }: MirrorDeps, key: string): void {
  for (const [known, { until }] of tooLarge) if (until <= Date.now()) tooLarge.delete(known)
  const known = tooLarge.get(key)
  if (known !== undefined) throw known.error
}

/** Replaces a version that has grown too large, unless another process has already replaced it. */
export async function renew(deps: MirrorDeps, version: MirrorVersion, request: CommitRequest): Promise<void> {
  const { settings } = deps
  const mirrorDir = join(settings.cacheDir, request.key)
  await withUpdateLock(join(mirrorDir, 'renew.lock'), settings.lockTimes, request.http.signal, async () => {
    const current = await readFile(join(mirrorDir, 'current'), 'utf8').catch(() => '')
    if (current === basename(version.dir)) await (await build(deps, request)).release()
  })
}

/** Returns true if so many packs or bytes were added that a fresh copy would be cheaper to read. */
export function isOvergrown(version: MirrorVersion, maxPacks: number): boolean {
  const sizes = version.packs().map((pack) => pack.bytes)
  const largest = Math.max(0, ...sizes)
  const slack = 8 * 1024 * 1024
  return sizes.length > maxPacks || version.bytes() - largest > Math.max(slack, largest * 0.3)
}

/**
 * Returns true for local damage and for an update that is too large for this process, because a
 * fresh copy resolves both. Returns false if the host rejected the request or the repository
 * exceeds a limit.
 */
function isWorthRebuilding(error: unknown): boolean {
  if (error instanceof GitHttpError) return error.code === 'too_large'
  if (error instanceof RepositoryError) return error.code === 'corrupt_pack' || error.code === 'object_not_found'
  return true
}

/**
 * Throws if the error means that the cache is not writable, for example because the disk is full.
 * In that case, another download would also fail.
 * @throws {RepositoryError} `build_failed`
 */
export function checkWritable(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOTDIR', 'EEXIST'].includes(code)) {
    throw new RepositoryError('build_failed', `The repository cache is not writable (${code}).`)
  }
}

function isFromHost(error: unknown): boolean {
  return error instanceof GitHttpError || (error instanceof RepositoryError && error.code === 'corrupt_pack')
}

function toReason(error: unknown): string {
  return error instanceof GitHttpError || error instanceof RepositoryError ? error.code : 'unreadable'
}
