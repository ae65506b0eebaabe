import { openMirrors } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'

interface Job {
  readonly cacheDir: string
  readonly url: string
  readonly token: string
}

/**
 * A worker process with a shared cache. Repeatedly opens the branch and reads every file until it
 * receives the stop message.
 */
process.once('message', async (job: Job) => {
  const silent = { info: () => undefined, warn: () => undefined }
  const seen = new Set<string>()
  const failures: string[] = []
  let stop = false
  process.once('message', () => {
    stop = true
  })
  let reads = 0
  await using mirrors = await openMirrors({
    cacheDir: job.cacheDir,
    log: silent,
    coldBuild: 'inline',
    blobLimit: null,
    maxPacks: 12,
    // Does not wait for the lock, because updates must not disturb readers even without it.
    lockTimes: { waitMs: 0 },
  })
  process.send?.('ready')
  while (!stop) {
    try {
      const { url, token } = job
      await using snapshot = await mirrors.openSnapshot({ tenant: 't', url, branch: 'main', token })
      const tree = await openWorkTree({ snapshot })
      for (const { path } of await tree.list()) {
        await tree.read(path)
        reads++
      }
      seen.add(snapshot.commit)
      process.send?.(snapshot.commit)
    } catch (error) {
      failures.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    }
  }
  process.send?.({ reads, commits: seen.size, failures }, () => process.exit(0))
})
