import type { ModelFacts } from '../model/model-settings.ts'
import type { AgentOptions } from './agent-input.ts'

/** Settings for all models, before model-specific limits are applied. */
export interface AgentSettings extends Omit<AgentOptions, 'maxOutputLimit'> {
  /**
   * Context window in tokens for models that `MODELS` does not list. Null if it is large enough for
   * all other limits.
   */
  readonly contextTokens: number | null
}

/**
 * Returns the options for one model. A reply uses at most a quarter of the context window. The hard
 * limit leaves room for a reply of twice the usual length, which is allowed after a truncated
 * reply.
 */
export function toAgentOptions(settings: AgentSettings, facts: ModelFacts, model: string): AgentOptions {
  const { contextTokens, ...options } = settings
  const fact = Object.hasOwn(facts, model) ? facts[model] : undefined
  const window = fact?.contextTokens ?? contextTokens
  const maxOutput = Math.min(
    options.maxOutput,
    fact?.maxOutputTokens ?? Number.POSITIVE_INFINITY,
    window === null ? Number.POSITIVE_INFINITY : Math.floor(window / 4),
  )
  const maxOutputLimit = Math.min(maxOutput * 2, fact?.maxOutputTokens ?? Number.POSITIVE_INFINITY)
  const hardContextTokens =
    window === null ? options.hardContextTokens : Math.min(options.hardContextTokens, window - maxOutputLimit)
  const softContextTokens = Math.min(options.softContextTokens, Math.floor(hardContextTokens * 0.6))
  return { ...options, maxOutput, maxOutputLimit, hardContextTokens, softContextTokens }
}
