import { openLog } from '@corrigenda/core/runtime'
import { openMirrors } from '@corrigenda/git/snapshot'
import { buildGitAccess } from '@corrigenda/worker/internal/config/build-git-hosts'
import type { TestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { buildRunDeps } from '@corrigenda/worker/internal/open-run-handler'
import { handleRun, type RunDeps } from '@corrigenda/worker/internal/run/handle-run'
import { type HeldRuns, watchHeldRuns } from '@corrigenda/worker/internal/run/hold-run'
import type { RunPoint } from '@corrigenda/worker/internal/run/run-point'
import { onTestFinished } from 'vitest'

/** Opens the dependencies of a worker that does not process queue entries or sweep. */
export async function openRunDeps(service: TestService): Promise<{ deps: RunDeps; close(): Promise<void> }> {
  const { config, database } = service
  const { prisma } = database
  const log = openLog({ level: 'silent', secrets: [] })
  const mirrors = await openMirrors({ cacheDir: config.cacheDir, log, childEnv: {}, coldBuild: 'inline' })
  const held = watchHeldRuns({ prisma, log, everyMs: 20 })
  const deps: RunDeps = {
    ...buildRunDeps(config, {
      ...buildGitAccess(config, { prisma, log }),
      prisma,
      queue: { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} },
      owner: 'zombie',
      shutdown: new AbortController().signal,
      log,
      held,
      mirrors,
    }),
    // No heartbeat occurs within a test, so an expired lease stays expired.
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
  /**
   * Resolves once the worker has detected that it lost the run. Resolves immediately if the worker
   * does not hold a lease yet or is deaf.
   */
  readonly notified: Promise<void>
  /**
   * Expires the worker's lease in the database, as if its process had been stopped for longer than
   * the lease. A successor may then claim the run.
   */
  loseLease(): Promise<unknown>
  /**
   * Resumes the worker and waits until it has ended. Can be called repeatedly. Also called when the
   * test finishes.
   */
  awake(): Promise<void>
}

/**
 * Starts a worker that claims the due run and stops at the given point of the run. Its timers
 * continue, so it detects that it lost the run. A deaf worker does not detect this while its clocks
 * show a valid lease.
 */
export async function startZombie(
  service: TestService,
  at: RunPoint,
  options: { deaf?: boolean } = {},
): Promise<Zombie> {
  const { deps, close } = await openRunDeps(service)
  const [reached, released, notified] = [defer(), defer(), defer()]
  const isListening = !options.deaf && at !== 'run.claimed'
  let runId = ''
  const listening: HeldRuns = {
    add: (run, onInterrupted) =>
      deps.held.add(run, (why) => {
        onInterrupted(why)
        notified.resolve()
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
    ended.then(() => Promise.reject(new Error(`the run ended before it reached ${at}`))),
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
    notified: isListening ? notified.promise : Promise.resolve(),
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
