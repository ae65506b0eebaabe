import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitHttpOptions, RemoteMemory } from '../http/git-http.ts'
import { GitHttpError } from '../http/git-http-error.ts'
import { findBranchTip, isTip } from '../http/list-refs.ts'
import { checkRepositoryUrl } from '../http/repository-url.ts'
import { buildGitAgents } from '../http/send-request.ts'
import { checkWritable, ensureCommit, isOvergrown, renew } from '../mirror/ensure-commit.ts'
import { buildFairQueue } from '../mirror/fair-queue.ts'
import type { CommitRequest, MirrorDeps } from '../mirror/mirror-deps.ts'
import { type MirrorOptions, toMirrorSettings } from '../mirror/mirror-options.ts'
import { LEASE_TOUCH_MS } from '../mirror/mirror-version-lease.ts'
import { buildMirrorVersionPool, type LeasedMirrorVersion } from '../mirror/mirror-version-pool.ts'
import { buildTurnQueue } from '../mirror/turn-queue.ts'
import { downloadBlobs } from '../mirror/update-mirror-version.ts'
import { buildBoundedCache } from '../objects/bounded-cache.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { openSnapshot, type SnapshotCaches, type SnapshotDeps } from './open-snapshot.ts'
import type { Snapshot } from './snapshot.ts'

export interface SnapshotRequest {
  /** Owner of the copy. Tenants never share repository copies. */
  readonly tenant: string
  readonly url: string
  /** Branch name, or null for the default branch. */
  readonly branch: string | null
  /** Commit of work that is resumed. Defaults to the latest commit on the branch. */
  readonly commit?: string | undefined
  /**
   * Token that proves that the caller may read the repository. It is checked every time a snapshot is
   * opened, even if a copy exists.
   */
  readonly token: string | null
  readonly signal?: AbortSignal | undefined
}

export interface Mirrors extends AsyncDisposable {
  /**
   * Opens the repository at one commit. The snapshot is valid until it is disposed.
   * @throws {GitHttpError} for errors from the host
   * @throws {RepositoryError} for errors in the repository
   */
  openSnapshot(request: SnapshotRequest): Promise<Snapshot>
  /**
   * Returns true if a branch or a tag of the repository points to the commit.
   * @throws {GitHttpError} for errors from the host
   */
  isTip(request: Pick<SnapshotRequest, 'url' | 'token' | 'signal'> & { readonly commit: string }): Promise<boolean>
  /** Stops background work and releases all leases and connections. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens a cache of repositories, which contains one bare, shallow copy per tenant and
 * repository. Processes share the cache through its directory. Readers take no locks, updates are
 * published atomically, and damaged or missing copies are downloaded again.
 */
export async function openMirrors(options: MirrorOptions): Promise<Mirrors> {
  const settings = toMirrorSettings(options)
  await mkdir(settings.cacheDir, { recursive: true, mode: 0o700 })
  const pool = buildMirrorVersionPool(settings.maxCachedIndexBytes)
  const closing = new AbortController()
  const { signal } = closing
  const deps: MirrorDeps = {
    settings,
    pool,
    turns: buildTurnQueue(),
    builds: buildFairQueue(),
    tooLarge: new Map(),
    closing: signal,
  }
  const ownAgents = settings.http.agents ? null : buildGitAgents()
  const agents = settings.http.agents ?? ownAgents ?? undefined
  const remotes: RemoteMemory = new Map()
  const caches: SnapshotCaches = {
    blobs: buildBoundedCache(settings.maxCachedBlobBytes, (blob) => blob.length + 200),
    trees: buildBoundedCache(400_000, (tree) => tree.entries.length + 1),
    listings: buildBoundedCache(2_000_000, (listing) => listing.entries.length + 1),
  }
  const background = new Map<string, Promise<void>>()
  const heartbeat = setInterval(() => void pool.touchLeases(), LEASE_TOUCH_MS)
  heartbeat.unref()

  const renewLater = (leased: LeasedMirrorVersion, request: CommitRequest) => {
    if (background.has(request.key) || !isOvergrown(leased.version, settings.maxPacks)) return
    const http = { ...request.http, signal: closing.signal }
    const work = renew(deps, leased.version, { ...request, http })
      .catch(() => settings.log.warn({ mirror: request.key }, 'mirror rebuild failed, keeping the old version'))
      .finally(() => background.delete(request.key))
    background.set(request.key, work)
  }

  const resolve = async (http: GitHttpOptions, request: SnapshotRequest) => {
    const tip = await findBranchTip(http, request.branch)
    const branch = tip?.branch ?? request.branch
    const commit = request.commit ?? tip?.commit
    if (branch !== null && commit !== undefined) return { branch, commit }
    if (request.branch === null) throw new RepositoryError('empty_repository', 'The repository has no commits yet.')
    throw new RepositoryError('branch_not_found', `The repository has no branch ${JSON.stringify(request.branch)}.`)
  }

  const open = async (request: SnapshotRequest, retry: boolean): Promise<Snapshot> => {
    const { url, token, signal } = request
    const http: GitHttpOptions = { ...settings.http, url, token, signal, agents, remotes }
    const { branch, commit } = await resolve(http, request)
    const key = toKey(request.tenant, url)
    const name = request.commit === undefined ? `branch ${branch}` : `commit ${commit}`
    const commitRequest: CommitRequest = { tenant: request.tenant, key, tip: { name, commit }, http }
    try {
      const leased = await ensureCommit(deps, commitRequest)
      await writeFile(join(settings.cacheDir, key, 'used'), '').catch(() => undefined)
      renewLater(leased, commitRequest)
      const ensure = () => ensureCommit(deps, commitRequest)
      const download: SnapshotDeps['download'] = (version, http, oids) =>
        downloadBlobs(deps, { tenant: request.tenant, key, version, http, oids })
      return await openSnapshot({ settings, pool, caches, ensure, download }, leased, {
        key,
        branch,
        commit,
        http: { ...http, maxResponseBytes: settings.maxRepositoryBytes },
      })
    } catch (error) {
      if (!(error instanceof GitHttpError) || error.code !== 'not_found') throw toKnownError(error)
      // The branch may have been force-pushed between the tip lookup and the download.
      if (retry && request.commit === undefined) return open(request, false)
      throw new RepositoryError('commit_not_found', `The repository no longer has the commit ${commit}.`)
    }
  }

  const close = async () => {
    clearInterval(heartbeat)
    closing.abort()
    await Promise.all(background.values())
    await pool.releaseAll()
    ownAgents?.http.destroy()
    ownAgents?.https.destroy()
  }

  return {
    async openSnapshot(request) {
      if (closing.signal.aborted) throw new RepositoryError('closed', 'The repository cache is closed.')
      return open(request, true)
    },
    isTip: ({ commit, ...request }) => isTip({ ...settings.http, ...request, agents, remotes }, commit),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Hides errors from the file system and isomorphic-git, because their messages contain paths and
 * internal details.
 */
function toKnownError(error: unknown): unknown {
  if (error instanceof GitHttpError || error instanceof RepositoryError) return error
  checkWritable(error)
  return new RepositoryError('build_failed', 'The repository could not be copied.')
}

/**
 * Returns a mirror's directory name. Two spellings of the same URL result in two mirrors, which is
 * harmless and does not expose data.
 */
function toKey(tenant: string, url: string): string {
  const address = checkRepositoryUrl(url).href.replace(/(?<!\/)\/+$/, '')
  return createHash('sha256').update(`${tenant}\0${address}`).digest('hex').slice(0, 40)
}
