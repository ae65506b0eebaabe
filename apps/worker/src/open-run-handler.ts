import { buildChecker } from '@corrigenda/site/checks'
import { buildLint, buildRunProgram, readProgramFolders } from '@corrigenda/site/lint'
import { openCheckThread } from '@corrigenda/site/thread'
import type { ServiceDeps } from './build-service-deps.ts'
import { addRunDeps } from './build-worker-deps.ts'
import type { WorkerConfig } from './config/config.ts'
import { handleRun } from './run/handle-run.ts'

export interface RunHandler {
  /** Handles a wake-up, as described at `handleRun`. */
  handle(lockLost: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * Opens what a worker needs for runs. An idle worker does not import this module, because it loads
 * the agent and the parsers of pages.
 * @param options.hasThread whether pages are parsed in a thread, which requires the compiled module
 */
export function openRunHandler(
  config: WorkerConfig,
  deps: ServiceDeps,
  { hasThread }: { hasThread: boolean },
): RunHandler {
  const onLoss = (reason: string) => deps.log.warn({ reason }, 'checker thread crashed on a page')
  const thread = hasThread ? openCheckThread({ onLoss }) : null
  const checker = buildChecker({
    lint: buildLint(buildRunProgram(readProgramFolders())),
    ...(thread === null ? {} : { runner: thread }),
  })
  const all = addRunDeps(config, deps, checker)
  return {
    handle: (lockLost) => handleRun(all, lockLost),
    close: async () => void (await thread?.close()),
  }
}
