import { AppError } from '../base/errors.ts'

/** Model ids by alias. */
export type ModelAliases = Readonly<Record<string, string>>

/** The aliases of the hosted API, and the Claude models that they stand for. */
export const CLAUDE_MODELS = {
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
} as const satisfies ModelAliases

/** An id of the Messages API, without the prefix or the version of another provider. */
const CLAUDE_ID = /^claude-[a-z0-9.-]+$/

/**
 * Returns the instance's aliases. An alias that the operator has not configured stands for the
 * default model if that model's id contains it, and otherwise for a Claude model if the default
 * model is one. Other providers have different ids for the same models, so the alias stays unknown.
 */
export function buildModelAliases(input: { defaultModel: string; configured: ModelAliases }): ModelAliases {
  const { defaultModel, configured } = input
  const found = Object.entries(CLAUDE_MODELS).flatMap(([alias, claude]) => {
    if (defaultModel.includes(alias)) return [[alias, defaultModel]]
    return CLAUDE_ID.test(defaultModel) ? [[alias, claude]] : []
  })
  return { ...Object.fromEntries(found), ...configured }
}

/**
 * Returns the model id that a name stands for. A name that is not an alias is a model id.
 * @throws AppError `invalid_request` for an alias of the hosted API that the instance does not know
 */
export function toModelId(aliases: ModelAliases, name: string): string {
  if (Object.hasOwn(aliases, name)) return aliases[name] ?? name
  if (!Object.hasOwn(CLAUDE_MODELS, name)) return name
  throw new AppError(
    'invalid_request',
    `This service does not know which model "${name}" is. Send a model id, or ask the operator to set MODEL_ALIASES.`,
  )
}

/**
 * Returns the model for a repeated job. A model that has become an alias is replaced, because the
 * service no longer offers it under this name.
 */
export function toCurrentModel(aliases: ModelAliases, stored: string): string {
  return Object.hasOwn(aliases, stored) ? (aliases[stored] ?? stored) : stored
}
