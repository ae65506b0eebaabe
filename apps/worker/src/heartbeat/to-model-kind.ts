import type { ModelKind } from '@corrigenda/contracts'

/** Returns the model kind implied by the URL of a Messages API. */
export function toModelKind(baseUrl: string): ModelKind {
  return new URL(baseUrl).hostname === 'api.anthropic.com' ? 'anthropic' : 'other'
}
