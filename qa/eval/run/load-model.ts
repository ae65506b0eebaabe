import { randomBytes } from 'node:crypto'
import type { Env } from '@corrigenda/core/runtime'
import { listSecrets, loadWorkerConfig } from '@corrigenda/worker'
import { buildCallModel, toAgentOptions, toPrices } from '@corrigenda/worker/parts'
import { CallError } from '../../read-yaml.ts'
import type { AttemptDeps } from './run-attempt.ts'

/** Access to models, configured as a worker would be in the same environment. */
export interface Model extends Pick<AttemptDeps, 'callModel' | 'prices' | 'budgets'> {
  readonly toModelOptions: NonNullable<AttemptDeps['toModelOptions']>
  /** Values that must not appear in any output. */
  readonly secrets: readonly string[]
  /** Default model. */
  readonly model: string
}

const NO_MODEL =
  'No model is configured. Set ANTHROPIC_API_KEY (other providers: docs/evaluation.md), or run pnpm qa eval --ci.'

/** Settings for models and budgets. The worker's other settings do not apply here. */
const WANTED = /^(ANTHROPIC_|MODEL|AWS_|CLOUD_ML_|GOOGLE_|MAX_|NODE_EXTRA_CA_CERTS)/
const CREDENTIALS = /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN)(_FILE)?$/

/** @throws CallError without a model, or ConfigError that lists every invalid setting */
export function loadModel(env: Env): Model {
  const wanted = Object.fromEntries(Object.entries(env).filter(([name]) => WANTED.test(name)))
  const elsewhere = env.MODEL_PROVIDER === 'bedrock' || env.MODEL_PROVIDER === 'vertex' || env.MODEL_AUTH === 'none'
  if (!elsewhere && !Object.entries(wanted).some(([name, value]) => value && CREDENTIALS.test(name)))
    throw new CallError(NO_MODEL)
  const config = loadWorkerConfig({
    ...wanted,
    // Required by the worker configuration but unused here.
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    CORRIGENDA_SECRET: randomBytes(32).toString('hex'),
  })
  return {
    callModel: buildCallModel(config.anthropic),
    prices: toPrices(config.models),
    budgets: config.budgets,
    toModelOptions: (model) => toAgentOptions(config.agent, config.models, model),
    secrets: listSecrets(config),
    model: env.MODEL || 'claude-sonnet-5-5',
  }
}
