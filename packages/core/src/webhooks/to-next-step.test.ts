import { expect, test } from 'vitest'
import { type AttemptResult, RETRY_SECONDS, toNextStep } from './to-next-step.ts'

const answered = (status: number, retryAfterMs: number | null = null): AttemptResult => ({
  kind: 'answered',
  status,
  retryAfterMs,
})
const step = (result: AttemptResult, tries = 1, random = 0.5) =>
  toNextStep(result, { tries, retrySeconds: RETRY_SECONDS, random })

test('maps a response to the next step', () => {
  for (const status of [200, 201, 204, 299]) expect(step(answered(status))).toEqual({ kind: 'delivered' })
  expect(step(answered(410))).toEqual({ kind: 'gone' })
  for (const status of [301, 302, 307, 400, 401, 404, 409, 429, 500, 503]) {
    expect(step(answered(status)).kind).toBe('retry')
  }
  expect(step({ kind: 'failed', code: 'timeout' }).kind).toBe('retry')
})

test('fails a delivery after eight attempts over more than a day', () => {
  const waits = RETRY_SECONDS.map((_, i) => step({ kind: 'failed', code: 'timeout' }, i + 1))
  expect(waits).toEqual(RETRY_SECONDS.map((seconds) => ({ kind: 'retry', afterMs: seconds * 1000 })))
  expect(step({ kind: 'failed', code: 'timeout' }, 8)).toEqual({ kind: 'exhausted' })
  expect(RETRY_SECONDS.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(86_400)
})

test('varies delays by up to 10%', () => {
  expect(step(answered(500), 2, 0)).toEqual({ kind: 'retry', afterMs: 270_000 })
  expect(step(answered(500), 2, 1)).toEqual({ kind: 'retry', afterMs: 330_000 })
})

test('extends a delay to the Retry-After of a 429 or 503, up to an hour, and never shortens it', () => {
  expect(step(answered(429, 60_000))).toEqual({ kind: 'retry', afterMs: 60_000 })
  expect(step(answered(503, 60_000))).toEqual({ kind: 'retry', afterMs: 60_000 })
  expect(step(answered(503, 86_400_000))).toEqual({ kind: 'retry', afterMs: 3_600_000 })
  expect(step(answered(503, 1))).toEqual({ kind: 'retry', afterMs: 5_000 })
  expect(step(answered(500, 60_000))).toEqual({ kind: 'retry', afterMs: 5_000 })
})
