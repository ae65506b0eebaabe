import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED, type Wait } from './fault-row.ts'

const spendLimit = { error_code: 'enforced_spend_limit_reached' }
const hourly: Wait = { reason: 'waiting', seconds: 3600 }
const tooLong = 'prompt is too long: 1000001 tokens > 1000000 maximum'
const staleThinking = 'messages.1.content.0: Invalid `signature` in `thinking` block'

/** Responses of the model API that are not replies. */
export const MODEL_API_ROWS: readonly FaultRow[] = [
  {
    id: 'model-429-short-wait',
    title: '429 with `Retry-After` of seconds',
    model: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    expect: { ...RECOVERED, modelFaults: 1, spacingMs: 1000 },
    both: true,
  },
  {
    id: 'model-429-long-wait',
    title: '429 with `Retry-After` of more than a minute',
    model: { kind: 'status', status: 429, headers: { 'retry-after': '75' } },
    expect: { ...RECOVERED, modelFaults: 1, waits: [{ reason: 'waiting', seconds: 75 }] },
    both: true,
  },
  {
    id: 'model-429-always-later',
    title: '429 with a long `Retry-After`, again and again',
    model: { kind: 'status', status: 429, headers: { 'retry-after': '7200' }, times: FOREVER },
    waitsUsed: 22,
    expect: failsWith('model_unavailable', { modelFaults: 3, waits: [hourly, hourly] }),
  },
  {
    id: 'model-429-no-wait',
    title: '429 without `Retry-After`',
    model: { kind: 'status', status: 429, times: 2 },
    expect: { ...RECOVERED, modelFaults: 2 },
  },
  {
    id: 'model-429-spend-limit',
    title: '429 with `error_code` `enforced_spend_limit_reached`',
    model: { kind: 'status', status: 429, details: spendLimit, headers: { 'retry-after': '1' }, times: FOREVER },
    expect: failsWith('model_billing', { modelFaults: 1 }),
    both: true,
  },
  {
    id: 'model-529',
    title: '529, a few times',
    model: { kind: 'status', status: 529, times: 3 },
    expect: { ...RECOVERED, modelFaults: 3 },
  },
  {
    id: 'model-529-outage',
    title: '529 for hours',
    model: { kind: 'status', status: 529, times: FOREVER },
    expect: failsWith('model_unavailable', { modelFaults: 30, waits: OUTAGE }),
    both: true,
  },
  {
    id: 'model-500',
    title: '500, once',
    model: { kind: 'status', status: 500 },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-502-page',
    title: '502 with a page of HTML',
    model: { kind: 'page', status: 502, times: 2 },
    expect: { ...RECOVERED, modelFaults: 2 },
  },
  {
    id: 'model-503-wait',
    title: '503 with `Retry-After` of more than a minute',
    model: { kind: 'status', status: 503, headers: { 'retry-after': '90' } },
    expect: { ...RECOVERED, modelFaults: 1, waits: [{ reason: 'waiting', seconds: 90 }] },
  },
  {
    id: 'model-409',
    title: '409, once',
    model: { kind: 'status', status: 409 },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-400',
    title: '400, request not understood',
    model: { kind: 'status', status: 400, message: 'tools.0: unknown field', times: FOREVER },
    expect: failsWith('model_bad_request', { modelFaults: 1, message: /tools\.0/ }),
  },
  {
    id: 'model-400-billing',
    title: '400, credit balance too low',
    model: { kind: 'status', status: 400, message: 'Your credit balance is too low.', times: FOREVER },
    expect: failsWith('model_billing', { modelFaults: 1 }),
  },
  {
    id: 'model-402',
    title: '402',
    model: { kind: 'status', status: 402, times: FOREVER },
    expect: failsWith('model_billing', { modelFaults: 1 }),
  },
  {
    id: 'model-400-too-long',
    title: '400, prompt is too long, in a long conversation',
    model: { kind: 'status', status: 400, message: tooLong },
    expect: { ...RECOVERED, modelFaults: 1, conversations: 2 },
  },
  {
    id: 'model-400-too-long-again',
    title: '400, prompt is too long, in three conversations in a row',
    model: { kind: 'status', status: 400, message: tooLong, times: FOREVER },
    expect: failsWith('context_exhausted', { modelFaults: 3, conversations: 3 }),
  },
  {
    id: 'model-400-too-long-first',
    title: '400, prompt is too long, at the first call',
    model: { kind: 'status', status: 400, message: tooLong, times: FOREVER },
    first: true,
    expect: failsWith('model_bad_request', { modelFaults: 1 }),
  },
  {
    id: 'model-400-signature',
    title: '400, the signature of an earlier thinking block is no longer accepted',
    model: { kind: 'status', status: 400, message: staleThinking },
    expect: { ...RECOVERED, modelFaults: 1, conversations: 2 },
  },
  {
    id: 'model-401',
    title: '401, the key is refused',
    model: { kind: 'status', status: 401, message: 'invalid x-api-key', times: FOREVER },
    expect: failsWith('model_unauthorized', { modelFaults: 1, message: /ANTHROPIC_API_KEY/ }),
  },
  {
    id: 'model-403',
    title: '403, the key may not use the model',
    model: { kind: 'status', status: 403, times: FOREVER },
    expect: failsWith('model_unauthorized', { modelFaults: 1 }),
  },
  {
    id: 'model-404',
    title: '404, no such model',
    model: { kind: 'status', status: 404, message: 'model: claude-nothing-1', times: FOREVER },
    first: true,
    expect: failsWith('model_not_found', { modelFaults: 1 }),
  },
  {
    id: 'model-413',
    title: '413, in a long conversation',
    model: { kind: 'status', status: 413 },
    expect: { ...RECOVERED, modelFaults: 1, conversations: 2 },
  },
  {
    id: 'model-413-first',
    title: '413, at the first call',
    model: { kind: 'status', status: 413, times: FOREVER },
    first: true,
    expect: failsWith('model_bad_request', { modelFaults: 1 }),
  },
  {
    id: 'model-page',
    title: '200 with a page of HTML, for hours',
    model: { kind: 'page', times: FOREVER },
    expect: failsWith('model_unavailable', {
      modelFaults: 30,
      message: /text\/html.*ANTHROPIC_BASE_URL/,
      waits: OUTAGE,
    }),
  },
  {
    id: 'model-garbage',
    title: '200 with something that is no stream of events, once',
    model: { kind: 'page', body: '{"ok":', headers: { 'content-type': 'text/event-stream' } },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-redirect',
    title: 'a redirect',
    model: { kind: 'page', status: 307, headers: { location: 'http://127.0.0.1:9/v1/messages' }, times: FOREVER },
    expect: failsWith('model_bad_reply', { modelFaults: 1, message: /ANTHROPIC_BASE_URL/ }),
  },
]
