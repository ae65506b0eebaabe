import { toAgentOptions } from '@corrigenda/agent/loop'
import { buildCallModel, toPrices } from '@corrigenda/agent/model'
import { buildChecker } from '@corrigenda/site/checks'
import { buildInlineAgentWork, type RunAgentWork } from './agent-work/open-agent-threads.ts'
import { buildServiceDeps, type ServiceDeps, type ServiceResources } from './build-service-deps.ts'
import type { WorkerConfig } from './config/config.ts'
import type { WorkerDeps } from './run/worker-deps.ts'

/**
 * Builds a worker's dependencies, including those for runs. Opens no resources. The agent's work is
 * done in this thread.
 */
export function buildWorkerDeps(config: WorkerConfig, opened: ServiceResources): WorkerDeps {
  return addRunDeps(config, buildServiceDeps(config, opened), buildInlineAgentWork(buildChecker()))
}

/** Adds the dependencies that only runs need. */
export function addRunDeps(config: WorkerConfig, deps: ServiceDeps, runAgentWork: RunAgentWork): WorkerDeps {
  return {
    ...deps,
    runAgentWork,
    callModel: buildCallModel(config.anthropic),
    toModelOptions: (model) => toAgentOptions(config.agent, config.models, model),
    prices: toPrices(config.models),
  }
}
