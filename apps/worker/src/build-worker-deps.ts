import { toAgentOptions } from '@corrigenda/agent/loop'
import { buildCallModel, toPrices } from '@corrigenda/agent/model'
import { buildChecker, type Checker } from '@corrigenda/site/checks'
import { buildServiceDeps, type ServiceDeps, type ServiceResources } from './build-service-deps.ts'
import type { WorkerConfig } from './config/config.ts'
import type { WorkerDeps } from './run/worker-deps.ts'

/** Builds a worker's dependencies, including those for runs. Opens no resources. */
export function buildWorkerDeps(
  config: WorkerConfig,
  /** `checker`: default: a checker that parses in this thread. */
  { checker = buildChecker(), ...opened }: ServiceResources & { readonly checker?: Checker },
): WorkerDeps {
  return addRunDeps(config, buildServiceDeps(config, opened), checker)
}

/** Adds the dependencies that only runs need. */
export function addRunDeps(config: WorkerConfig, deps: ServiceDeps, checker: Checker): WorkerDeps {
  return {
    ...deps,
    checker,
    callModel: buildCallModel(config.anthropic),
    toModelOptions: (model) => toAgentOptions(config.agent, config.models, model),
    prices: toPrices(config.models),
  }
}
