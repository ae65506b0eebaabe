import { buildChecker } from '@corrigenda/site/checks'
import { buildLint, buildRunProgram, readProgramFolders } from '@corrigenda/site/lint'
import { buildInlineAgentWork, openAgentThreads } from './agent-work/open-agent-threads.ts'
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
 * @param options.hasThreads whether the agent's work is done in threads, which require the compiled
 * module
 */
export function openRunHandler(
  config: WorkerConfig,
  deps: ServiceDeps,
  { hasThreads }: { hasThreads: boolean },
): RunHandler {
  const runProgram = buildRunProgram(readProgramFolders())
  const threads = hasThreads ? openAgentThreads({ runProgram }) : null
  const runInline = () => buildInlineAgentWork(buildChecker({ lint: buildLint(runProgram) }))
  const all = addRunDeps(config, deps, threads?.run ?? runInline())
  return {
    handle: (lockLost) => handleRun(all, lockLost),
    close: async () => void (await threads?.close()),
  }
}
