import { ApiError } from '@corrigenda/demo/messages-api'

/** Returns the response to `GET /v1/models`. */
export function toModelPage(ids: readonly string[]): Record<string, unknown> {
  return { data: ids.map(toModel), has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null }
}

/**
 * Returns the response to `GET /v1/models/{id}`.
 * @throws ApiError 404 for an unknown model
 */
export function getModel(id: string, isKnownModel: (id: string) => boolean): Record<string, unknown> {
  if (!isKnownModel(id)) throw new ApiError(404, `model: ${id}`)
  return toModel(id)
}

function toModel(id: string): Record<string, unknown> {
  return {
    type: 'model',
    id,
    display_name: id === 'rehearsal' ? 'Rehearsal model (no AI)' : id,
    created_at: '2026-10-21T00:00:00Z',
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    line: /^claude-(haiku|sonnet|opus|fable|mythos)-/.exec(id)?.[1] ?? null,
    max_input_tokens: 1_000_000,
    max_tokens: 128_000,
    capabilities: null,
  }
}
