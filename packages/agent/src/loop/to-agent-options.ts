import type { ModelFacts } from '../model/settings.ts'
import type { AgentOptions } from './agent-input.ts'

/** What is asked of every model, before its own limits. */
export interface AgentSettings extends Omit<AgentOptions, 'maxOutputLimit'> {
  /** Context window of models that `MODELS` does not describe; null: large enough for everything below. */
  readonly contextTokens: number | null
}

/**
 * How to talk to one model. Replies get a quarter of a small context window at most, and a conversation is replaced before a reply of twice the usual
 * length (which one that was cut off may have) would not fit any more.
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
