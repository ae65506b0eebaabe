import type { ModelKind } from '@corrigenda/contracts'

/** Which model is behind an address of the Messages API, as far as the address tells. */
export function toModelKind(baseUrl: string): ModelKind {
  return new URL(baseUrl).hostname === 'api.anthropic.com' ? 'anthropic' : 'other'
}
