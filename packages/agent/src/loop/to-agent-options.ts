import type { ModelFacts } from '../model/settings.ts'
import type { AgentOptions } from './agent-input.ts'

/** Settings for every model, before the limits of the model apply. */
export interface AgentSettings extends Omit<AgentOptions, 'maxOutputLimit'> {
  /**
   * Context window of models that `MODELS` does not describe. Null: large enough for all limits
   * below.
   */
  readonly contextTokens: number | null
}

/**
 * Returns the options for one model. Replies use at most a quarter of a small context window. A
 * conversation is replaced before a reply of twice the usual length no longer fits. A reply may
 * have that length after one was cut off.
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
