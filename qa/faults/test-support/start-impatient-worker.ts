import path from 'node:path'
import { openLog } from '@corrigenda/core/runtime'
import { openMirrors } from '@corrigenda/git/snapshot'
import { buildGitAccess } from '@corrigenda/worker/internal/config/build-git-hosts'
import type { TestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { buildRunDeps } from '@corrigenda/worker/internal/open-run-handler'
import { handleRun } from '@corrigenda/worker/internal/run/handle-run'
import { watchHeldRuns } from '@corrigenda/worker/internal/run/hold-run'

/** Long enough for a busy machine, short enough for a test. */
const DEADLINE_MS = 1_500
const SLOTS = 6
const TURN_MS = 100

/**
 * Starts a worker without a queue. Its Git host deadlines and retry delays are short, so that tests
 * of a slow host do not take long.
 */
export async function startImpatientWorker(service: TestService): Promise<{ close(): Promise<void> }> {
  const { config, database } = service
  const log = openLog({ level: 'debug', secrets: [], destination: { write: (line) => void service.lines.push(line) } })
  const shutdown = new AbortController()
  const held = watchHeldRuns({ ...database, log })
  const http = { attempts: 1, deadlines: { idleMs: DEADLINE_MS } }
  const cacheDir = path.join(config.cacheDir, 'impatient')
  const mirrors = await openMirrors({ cacheDir, log, coldBuild: 'inline', http })
  const { prisma } = database
  const deps = buildRunDeps(config, {
    ...buildGitAccess(config, { prisma, log }, { timeoutMs: DEADLINE_MS, retryBaseMs: 5 }),
    gitHttp: http,
    prisma,
    queue: { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} },
    owner: 'impatient',
    shutdown: shutdown.signal,
    log,
    held,
    mirrors,
  })
  const slots = Array.from({ length: SLOTS }, () => workUntil(shutdown.signal, () => handleRun(deps)))
  return {
    async close() {
      shutdown.abort()
      await Promise.all(slots)
      await held.close()
      await mirrors.close()
    },
  }
}

async function workUntil(stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    await work()
    await new Promise((resolve) => setTimeout(resolve, TURN_MS))
  }
}
