import { expect, test } from 'vitest'
import { ModelError } from '../model/model-error.ts'
import { decideAfterModelError } from './describe-stop.ts'

const budgets = { maxTurns: 1, maxInputTokens: 1, maxOutputTokens: 1, maxCostUsd: 1, maxSeconds: 60 }
const decide = (error: ModelError, isFresh = false) => decideAfterModelError(error, { isFresh, budgets })

test('defers the run only if the API requested a wait for a retryable error', () => {
  const limited = (retryAfterMs: number | null, retryable = true) =>
    decide(new ModelError('model_rate_limited', 'Too many requests.', { retryable, retryAfterMs }))
  expect(limited(5_000)).toEqual({ kind: 'defer', afterMs: 5_000 })
  const stop = { kind: 'stop', code: 'model_unavailable', message: 'Too many requests.' }
  expect([limited(0), limited(null), limited(5_000, false)]).toEqual([stop, stop, stop])
})

test('starts a new conversation unless the failed one has no reply yet', () => {
  const error = new ModelError('model_context_exceeded', 'The prompt is too long.')
  expect(decide(error)).toEqual({ kind: 'new_conversation', reason: 'The prompt is too long.' })
  expect(decide(error, true)).toMatchObject({
    kind: 'stop',
    code: 'model_bad_request',
    message: expect.stringMatching(/^The prompt is too long\. .*MODEL_CONTEXT_TOKENS/),
  })
})

test.each([
  ['model_deadline', 'budget_time'],
  ['model_stalled', 'model_unavailable'],
  ['model_billing', 'model_billing'],
] as const)('stops after %s with the code %s', (code, expected) => {
  expect(decide(new ModelError(code, 'Failed.'))).toMatchObject({ kind: 'stop', code: expected })
})
