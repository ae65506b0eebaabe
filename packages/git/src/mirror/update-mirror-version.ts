import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitHttpOptions } from '../http/git-http.ts'
import { GitHttpError } from '../http/git-http-error.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { fetchBlobs, fetchUpdate, type MirrorLimits } from './build-mirror.ts'
import type { FetchTask } from './fetch-task.ts'
import { forkFetch } from './fork-fetch.ts'
import type { CommitRequest, MirrorDeps } from './mirror-deps.ts'
import type { MirrorVersion } from './mirror-version.ts'

const MiB = 1024 * 1024
/** Size in bytes above which a fresh copy is cheaper than an update. */
const MAX_UPDATE_BYTES = 64 * MiB

/**
 * Limits for updates that this process unpacks itself, so that an ordinary update does not start a
 * child process. isomorphic-git inflates and resolves objects on the event loop. In the worst case,
 * an update within these limits blocks the event loop for about 200 ms. A larger update is
 * refetched in a child process.
 */
const LIGHT_BYTES = 2 * MiB
const LIGHT_MS = 30_000
const LIGHT_LIMITS: MirrorLimits = {
  pack: {
    maxObjectBytes: 2 * MiB,
    maxTotalBytes: 8 * MiB,
    maxObjects: 2_000,
    maxDeltaDepth: 60,
    maxDeltaBytes: 512 * 1024,
  },
  tree: { maxEntries: 100_000, maxDepth: 64, maxTreeBytes: 2 * MiB },
}

/**
 * Adds a commit to a version that contains older commits.
 * @throws {GitHttpError}
 * @throws {RepositoryError}
 */
export async function updateMirrorVersion(
  deps: MirrorDeps,
  version: MirrorVersion,
  request: CommitRequest,
): Promise<void> {
  const { limits, maxRepositoryBytes, child } = deps.settings
  const { tip } = request
  const http = { ...request.http, maxResponseBytes: Math.min(MAX_UPDATE_BYTES, maxRepositoryBytes) }
  if (!child) return version.publish(await fetchUpdate(version, { http, tip, limits }), tip)
  const totalMs = Math.min(http.deadlines?.totalMs ?? LIGHT_MS, LIGHT_MS)
  const maxResponseBytes = Math.min(http.maxResponseBytes, LIGHT_BYTES)
  const light = { ...http, maxResponseBytes, deadlines: { ...http.deadlines, totalMs } }
  try {
    return await version.publish(await fetchUpdate(version, { http: light, tip, limits: LIGHT_LIMITS }), tip)
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  const task = { kind: 'update', http, version: version.dir, tip, limits } as const
  await fetchInChild(deps, request, version, task)
}

interface BlobsRequest {
  readonly tenant: string
  readonly key: string
  readonly version: MirrorVersion
  readonly http: GitHttpOptions
  readonly oids: readonly string[]
}

/**
 * Downloads blobs that a filter omitted and adds them to a version. These blobs are large by
 * definition, so they are downloaded in a child process unless all downloads run in this process.
 * @throws {GitHttpError}
 * @throws {RepositoryError}
 */
export async function downloadBlobs(deps: MirrorDeps, request: BlobsRequest): Promise<void> {
  const { limits, child } = deps.settings
  const { version, http, oids: wants } = request
  if (!child) return version.publish(await fetchBlobs(http, wants, limits.pack), null)
  await fetchInChild(deps, request, version, { kind: 'blobs', http, wants, limits })
}

type StagingTask =
  | Omit<Extract<FetchTask, { kind: 'update' }>, 'staging'>
  | Omit<Extract<FetchTask, { kind: 'blobs' }>, 'staging'>

/**
 * Runs the task in a child process, which writes its pack to a separate directory. A killed child
 * therefore leaves no files in the version.
 */
async function fetchInChild(
  deps: MirrorDeps,
  { key, tenant }: Pick<CommitRequest, 'key' | 'tenant'>,
  version: MirrorVersion,
  task: StagingTask,
): Promise<void> {
  const { settings, builds, closing } = deps
  const { child } = settings
  if (!child) return
  const { signal } = task.http
  const staging = join(settings.cacheDir, key, `tmp-${randomUUID()}`)
  try {
    await builds.run(tenant, signal, async () => {
      const name = await forkFetch({ task: { ...task, staging }, ...child, signals: [signal, closing] })
      if (name === null)
        throw new RepositoryError('build_failed', 'The process that copies the repository did not produce a pack.')
      await version.publish({ name, dir: staging }, task.kind === 'update' ? task.tip : null)
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

export function isTooLarge(error: unknown): boolean {
  return (error instanceof GitHttpError || error instanceof RepositoryError) && error.code === 'too_large'
}
