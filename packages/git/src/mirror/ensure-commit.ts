import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { GitHttpError } from '../http/git-http-error.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { buildMirror } from './build-mirror.ts'
import { evictMirrors } from './evict-mirrors.ts'
import { forkFetch } from './fork-fetch.ts'
import { birthLease, type Generation } from './generation.ts'
import type { LeasedGeneration } from './generation-pool.ts'
import type { CommitRequest, MirrorDeps } from './mirror-deps.ts'
import { updateGeneration } from './update-generation.ts'
import { withUpdateLock } from './update-lock.ts'
import { writeAtomically } from './write-atomically.ts'

/**
 * Returns a leased generation that contains the commit. Fetches only missing objects. Rebuilds the
 * mirror when it does not exist or cannot be updated.
 * @throws {GitHttpError}
 * @throws {RepositoryError}
 */
export async function ensureCommit(deps: MirrorDeps, request: CommitRequest): Promise<LeasedGeneration> {
  const { pool, settings, turns } = deps
  const mirrorDir = join(settings.cacheDir, request.key)
  const { commit } = request.tip
  const { signal } = request.http
  const ready = await pool.leaseCurrent(mirrorDir)
  if (ready?.generation.has(commit)) return ready
  await ready?.release()
  await mkdir(mirrorDir, { recursive: true })
  return turns.run(request.key, signal, () =>
    withUpdateLock(join(mirrorDir, 'update.lock'), settings.lockTimes, signal, async () => {
      const current = await pool.leaseCurrent(mirrorDir)
      if (current) {
        try {
          await current.generation.refresh()
          if (!current.generation.has(commit)) await updateGeneration(deps, current.generation, request)
          return current
        } catch (error) {
          await current.release()
          checkWritable(error)
          if (!isWorthRebuilding(error)) throw error
          settings.log.warn(
            { mirror: request.key, reason: toReason(error) },
            'mirror update failed, rebuilding the mirror',
          )
          // Keeps a sound copy when the error comes from the host, until a better copy exists.
          if (!isFromHost(error)) await pool.discard(current.generation)
        }
      }
      return build(deps, request)
    }),
  )
}

/** Downloads into a new generation and makes it the current one. */
export async function build(deps: MirrorDeps, request: CommitRequest): Promise<LeasedGeneration> {
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
  await builds.run('build', signal, async () => {
    const startedAt = Date.now()
    try {
      const task = { kind: 'build', ...input } as const
      if (settings.child) await forkFetch({ task, ...settings.child, signals: [signal, closing] })
      else await buildMirror(input)
      await rename(dir, join(mirrorDir, name))
    } catch (error) {
      await rm(dir, { recursive: true, force: true })
      throw error
    }
    settings.log.info({ mirror: request.key, ms: Date.now() - startedAt }, 'repository copied')
  })
  const leased = await pool.lease(join(mirrorDir, name))
  await writeAtomically(join(mirrorDir, 'current'), name)
  await rm(join(mirrorDir, name, birthLease), { force: true })
  await evictMirrors(settings.cacheDir, settings.maxBytes)
  return leased
}

/** Replaces a generation that has many packs, unless another process has already replaced it. */
export async function renew(deps: MirrorDeps, generation: Generation, request: CommitRequest): Promise<void> {
  const { settings } = deps
  const mirrorDir = join(settings.cacheDir, request.key)
  await withUpdateLock(join(mirrorDir, 'renew.lock'), settings.lockTimes, request.http.signal, async () => {
    const current = await readFile(join(mirrorDir, 'current'), 'utf8').catch(() => '')
    if (current === basename(generation.dir)) await (await build(deps, request)).release()
  })
}

/** Returns true when so many packs or bytes were added that a fresh copy is cheaper to read. */
export function isOvergrown(generation: Generation, maxPacks: number): boolean {
  const sizes = generation.packs().map((pack) => pack.bytes)
  const largest = Math.max(0, ...sizes)
  const slack = 8 * 1024 * 1024
  return sizes.length > maxPacks || generation.bytes() - largest > Math.max(slack, largest * 0.3)
}

/**
 * Returns true for local damage and for a delta too large for this process, because a fresh copy
 * resolves both. Returns false for refusals of the host and for exceeded limits.
 */
function isWorthRebuilding(error: unknown): boolean {
  if (error instanceof GitHttpError) return error.code === 'too_large'
  if (error instanceof RepositoryError) return error.code === 'corrupt_pack' || error.code === 'object_not_found'
  return true
}

/**
 * Throws for a full or read-only disk, because another download cannot succeed.
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
