import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildCommit } from '@corrigenda/git/commit'
import { GitHttpError } from '@corrigenda/git/http'
import { findEntry } from '@corrigenda/git/internal/work-tree/sorted-paths'
import { RepositoryError } from '@corrigenda/git/objects'
import { listTree, type Mirrors, openMirrors } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'
import { WorkspaceError } from '@corrigenda/git/workspace'
import type { HostileJob, HostileReport } from './hostile-job.ts'

/**
 * A process that uses a repository as a worker does. It opens the repository, lists, reads,
 * searches and edits files, and commits. Reports the result and how long its event loop was
 * blocked.
 */
let mirrors: Mirrors | null = null
const delay = monitorEventLoopDelay({ resolution: 10 })

process.on('message', async (job: HostileJob) => {
  if (job.kind === 'stop') {
    await mirrors?.close()
    process.exit(0)
  }
  const silent = { info: () => undefined, warn: () => undefined }
  mirrors ??= await openMirrors({
    cacheDir: job.cacheDir,
    log: silent,
    coldBuild: 'child',
    // Short, because several rows wait for these deadlines. Long enough for a host that packs 150
    // MiB on a busy machine.
    http: { retryPauseMs: 1, deadlines: { connectMs: 12_000, idleMs: 12_000, totalMs: 15_000 } },
    childLimits: { maxBuildMs: 60_000, maxResidentBytes: 1024 * 1024 * 1024 },
  })
  delay.enable()
  delay.reset()
  const startedAt = performance.now()
  const report = await work(mirrors, job).catch(toRefusal)
  const ms = performance.now() - startedAt
  await new Promise((resolve) => setTimeout(resolve, 15))
  delay.disable()
  process.send?.({ ...report, ms, delayMs: delay.max / 1e6 } satisfies HostileReport)
})
process.once('disconnect', () => process.exit(1))

type Outcome = Omit<HostileReport, 'ms' | 'delayMs'>

async function work(open: Mirrors, job: Extract<HostileJob, { kind: 'work' }>): Promise<Outcome> {
  await using snapshot = await open.openSnapshot({ tenant: job.tenant, url: job.url, branch: null, token: null })
  const tree = await openWorkTree({ snapshot })
  const paths = (await tree.list()).map((entry) => entry.path)
  for (const path of paths.slice(0, 2_000)) await tree.read(path).then(search, ignoreRefusal)
  if (job.lazyPath !== null) {
    const entry = findEntry((await listTree(snapshot)).entries, job.lazyPath)
    if (entry) await snapshot.readBlob(entry.oid)
  }
  await tree.write('corrigenda.md', Buffer.from('new\n'))
  for (const path of paths.slice(0, 3)) await tree.write(path, Buffer.from('changed\n')).catch(ignoreRefusal)
  const who = { name: 'Worker', email: 'worker@example.com' }
  const changes = tree.overlay()
  const built = await buildCommit({ snapshot, changes, message: 'x', author: who, committer: who, timestamp: 1 })
  if (!built) throw new Error('The edit produced no change.')
  await tree.changes()
  return { refused: null, message: null, paths: paths.slice(0, 500), count: paths.length }
}

function search(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('needle')
}

function ignoreRefusal(error: unknown): void {
  const missing = error instanceof RepositoryError && error.code === 'object_not_found'
  if (!(error instanceof WorkspaceError) && !missing) throw error
}

function toRefusal(error: unknown): Outcome {
  const known = error instanceof RepositoryError || error instanceof GitHttpError
  const refused = known ? error.code : `unexpected ${error instanceof Error ? (error.stack ?? error.message) : error}`
  const message = error instanceof Error ? error.message : String(error)
  return { refused, message, paths: [], count: 0 }
}
