import { toAgentOptions } from '@corrigenda/agent/loop'
import { buildCallModel, toPrices } from '@corrigenda/agent/model'
import { findSigningKey, toSealingKeys } from '@corrigenda/core/instance'
import type { RunQueue } from '@corrigenda/core/queue'
import type { Claim } from '@corrigenda/core/runs'
import type { Tracer } from '@corrigenda/core/tracing'
import type { Mirrors } from '@corrigenda/git/snapshot'
import { buildChecker } from '@corrigenda/site/checks'
import { buildLint, buildRunProgram, readProgramFolders } from '@corrigenda/site/lint'
import { buildInlineAgentWork, openAgentThreads, type RunAgentWork } from './agent-work/open-agent-threads.ts'
import type { WorkerConfig } from './config/config.ts'
import type { RepositoryWorkDeps } from './git-host/git-access.ts'
import { handleRun, type RunDeps } from './run/handle-run.ts'
import type { HeldRuns } from './run/hold-run.ts'
import { ignorePoints, type OnPoint } from './run/run-point.ts'

/** What a process opens for runs. The rest is derived from the configuration. */
export interface RunResources extends RepositoryWorkDeps {
  readonly owner: string
  readonly shutdown: AbortSignal
  readonly queue: RunQueue
  readonly mirrors: Mirrors
  readonly held: HeldRuns
  readonly onPoint?: OnPoint
  readonly onClaim?: ((claim: Claim) => void) | undefined
  readonly tracer?: Tracer | null
  /** See ClaimRules. */
  readonly replacedModels?: Readonly<Record<string, string>> | undefined
}

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
  opened: RunResources,
  { hasThreads }: { hasThreads: boolean },
): RunHandler {
  const runProgram = buildRunProgram(readProgramFolders())
  const threads = hasThreads ? openAgentThreads({ runProgram }) : null
  const runInline = () => buildInlineAgentWork(buildChecker({ lint: buildLint(runProgram) }))
  const deps = buildRunDeps(config, opened, threads?.run ?? runInline())
  return {
    handle: (lockLost) => handleRun(deps, lockLost),
    close: async () => void (await threads?.close()),
  }
}

/** Names of the GenAI semantic conventions. */
const PROVIDERS = { anthropic: 'anthropic', bedrock: 'aws.bedrock', vertex: 'gcp.vertex_ai' } as const

/**
 * Builds the dependencies of runs. Opens no resources.
 * @param runAgentWork default: the agent's work is done in this thread
 */
export function buildRunDeps(
  config: WorkerConfig,
  { onPoint = ignorePoints, onClaim, replacedModels, ...opened }: RunResources,
  runAgentWork: RunAgentWork = buildInlineAgentWork(buildChecker()),
): RunDeps {
  const { credentialKey } = toSealingKeys(config)
  return {
    ...opened,
    onPoint,
    ...(onClaim && { onClaim }),
    ...(replacedModels && { replacedModels }),
    leaseSeconds: config.leaseSeconds,
    maxAttempts: config.maxAttempts,
    projectConcurrency: config.projectConcurrency,
    budgets: config.budgets,
    monthlyBudgetUsd: config.monthlyBudgetUsd,
    publicUrl: config.publicUrl,
    runAgentWork,
    callModel: buildCallModel(config.anthropic),
    modelProvider: PROVIDERS[config.anthropic.platform?.kind ?? 'anthropic'],
    toModelOptions: (model) => toAgentOptions(config.agent, config.models, model),
    prices: toPrices(config.models),
    modelsWithoutCostBudget: config.configuredModels,
    findSigningKey: () => findSigningKey({ prisma: opened.prisma, credentialKey }),
  }
}
