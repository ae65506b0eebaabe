import type { ModelKind } from '@corrigenda/contracts'

/**
 * Returns the kind of model behind a URL of the Messages API, as far as the URL reveals
 * it.
 */
export function toModelKind(baseUrl: string): ModelKind {
  return new URL(baseUrl).hostname === 'api.anthropic.com' ? 'anthropic' : 'other'
}
