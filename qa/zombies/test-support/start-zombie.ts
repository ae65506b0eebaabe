import { openLog } from '@corrigenda/core/runtime'
import { openMirrors } from '@corrigenda/git/snapshot'
import { buildWorkerDeps } from '@corrigenda/worker/internal/build-worker-deps'
import type { TestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { handleRun } from '@corrigenda/worker/internal/run/handle-run'
import type { RunPoint } from '@corrigenda/worker/internal/run/run-point'
import { type HeldRuns, watchHeldRuns } from '@corrigenda/worker/internal/run/watch-held-runs'
import type { WorkerDeps } from '@corrigenda/worker/internal/run/worker-deps'
import { onTestFinished } from 'vitest'

/** What a worker of this service works with; it takes no entries and sweeps nothing by itself. */
export async function openWorkerDeps(service: TestService): Promise<{ deps: WorkerDeps; close(): Promise<void> }> {
  const { config, database } = service
  const log = openLog({ level: 'silent', secrets: [] })
  const mirrors = await openMirrors({ cacheDir: config.cacheDir, log, childEnv: {}, coldBuild: 'inline' })
  const held = watchHeldRuns({ prisma: database.prisma, log, everyMs: 20 })
  const deps: WorkerDeps = {
    ...buildWorkerDeps(config, {
      prisma: database.prisma,
      queue: { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} },
      owner: 'zombie',
      shutdown: new AbortController().signal,
      ...{ log, held, mirrors },
    }),
    // No heartbeat comes within a test: a lease that was ended stays ended.
    leaseSeconds: 3_600,
  }
  return {
    deps,
    async close() {
      await held.close()
      await mirrors.close()
    },
  }
}

export interface Zombie {
  /** Resolves once the worker knows that the run is not its any more; at once where it does not hold a lease yet, or is deaf. */
  readonly told: Promise<void>
  /** Ends its lease in the database, as if its process had been stopped for longer: a successor may claim. */
  loseLease(): Promise<unknown>
  /** Lets it go on where it stopped, and waits until it has come to its end. May be repeated; the end of the test does it, too. */
  awake(): Promise<void>
}

/**
 * A worker that claims the run that is due and stops at a point of it. Its timers go on, so it learns that it has lost the run; a deaf one does not
 * for as long as its own clocks say that it holds the lease.
 */
export async function startZombie(
  service: TestService,
  at: RunPoint,
  options: { deaf?: boolean } = {},
): Promise<Zombie> {
  const { deps, close } = await openWorkerDeps(service)
  const [reached, released, told] = [defer(), defer(), defer()]
  const isListening = !options.deaf && at !== 'run.claimed'
  let runId = ''
  const listening: HeldRuns = {
    add: (run, onInterrupted) =>
      deps.held.add(run, (why) => {
        onInterrupted(why)
        told.resolve()
      }),
    close: deps.held.close,
  }
  const deaf: HeldRuns = { add: () => () => {}, close: async () => {} }
  const ended = handleRun({
    ...deps,
    held: options.deaf ? deaf : listening,
    async onPoint(point, run) {
      runId = run.runId
      if (point !== at) return
      reached.resolve()
      await released.promise
    },
  })
  await Promise.race([
    reached.promise,
    ended.then(() => Promise.reject(new Error(`the run ended before it came to ${at}`))),
  ])
  let ending: Promise<void> | null = null
  const end = async () => {
    released.resolve()
    await ended
    await close()
  }
  const awake = () => {
    ending ??= end()
    return ending
  }
  onTestFinished(awake)
  return {
    told: isListening ? told.promise : Promise.resolve(),
    loseLease: () =>
      deps.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = ${runId}`,
    awake,
  }
}

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
