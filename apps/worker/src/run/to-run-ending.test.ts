import { expect, test } from 'vitest'
import { toRunEnding } from './run-failure.ts'

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 1 }
const common = { checks: [], usage }
const reading = { evidence: [], sourcesRead: [], sourcesShown: ['api'], reads: {} }
const finished = {
  ...common,
  ...reading,
  kind: 'finished' as const,
  title: null,
  body: '',
  reason: 'why',
  model: 'm-1',
}
const stopped = { ...common, kind: 'stopped' as const, message: 'm', reads: {} }

test('preserves a wait requested by the model API', () => {
  const retryAt = new Date(Date.now() + 3_600_000)
  const ending = toRunEnding({ kind: 'deferred', retryAt, reason: 'overloaded', usage }, { mayAsk: true })
  if (ending.kind !== 'later') throw new Error(ending.kind)
  expect(ending).toMatchObject({ code: 'model_unavailable', message: 'overloaded' })
  expect(ending.afterMs).toBeGreaterThan(3_000_000)
  const past = toRunEnding({ kind: 'deferred', retryAt: new Date(0), reason: 'overloaded', usage }, { mayAsk: true })
  expect(past).toMatchObject({ kind: 'later', afterMs: 0 })
})

test('retries later when the model is unavailable and returns any other stopped result unchanged', () => {
  const code = 'model_unavailable'
  expect(toRunEnding({ ...stopped, code }, { mayAsk: true })).toEqual({
    kind: 'later',
    afterMs: null,
    code,
    message: 'm',
  })
  expect(toRunEnding({ ...stopped, code: 'stuck' }, { mayAsk: true })).toMatchObject({ kind: 'stopped', code: 'stuck' })
})

test('publishes only an outcome with changes', () => {
  const outcome = { summary: 'why', checks: [] }
  expect(toRunEnding({ ...finished, outcome: 'no_change' }, { mayAsk: true })).toEqual({
    kind: 'ended',
    outcome: { ...outcome, kind: 'no_changes', sourcesShown: ['api'] },
  })
  expect(toRunEnding({ ...finished, outcome: 'needs_input' }, { mayAsk: true })).toEqual({
    kind: 'ended',
    outcome: { ...outcome, kind: 'needs_input' },
  })
  expect(toRunEnding({ ...finished, outcome: 'changed' }, { mayAsk: true })).toEqual({
    ...finished,
    outcome: 'changed',
  })
  expect(() => toRunEnding({ ...finished, outcome: 'impossible' }, { mayAsk: true })).toThrow('why')
})

test('a question fails the job if the caller cannot answer it', () => {
  expect(() => toRunEnding({ ...finished, outcome: 'needs_input' }, { mayAsk: false })).toThrow(
    expect.objectContaining({ code: 'needs_input', message: 'why' }),
  )
})
