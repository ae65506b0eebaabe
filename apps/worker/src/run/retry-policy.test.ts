import { LostLeaseError } from '@corrigenda/core/base'
import type { RunCounters } from '@corrigenda/core/internal/runs/attempt-counters'
import { ShutdownError } from '@corrigenda/core/leases'
import { GitHttpError } from '@corrigenda/git/http'
import { describe, expect, test } from 'vitest'
import { CancelRequestedError } from './hold-run.ts'
import { toNextStep, toRetry } from './retry-policy.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'

const FIRST: RunCounters = { attemptsUsed: 1, attemptLimit: 10, releases: 0, failures: 0, stalls: 0, restarts: 0 }
const run = (
  counters: Partial<RunCounters> = {},
  interruptedPublish: 'cancelled' | 'attempts_exhausted' | null = null,
) => ({ counters: { ...FIRST, ...counters }, interruptedPublish })

const outage = new GitHttpError('server_error', 'The Git host is down.')
const failed = (code: string, message: string) => ({ kind: 'finish', outcome: { kind: 'failed', code, message } })

describe('the next step after an error', () => {
  test.each([
    ['the worker writes nothing after it loses its lease', new LostLeaseError('run_1'), { kind: 'abandon' }],
    [
      'the worker writes nothing if the database is unavailable',
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      { kind: 'abandon' },
    ],
    ['a shutdown releases the run', new ShutdownError(), { kind: 'hand_over' }],
    ['a cancellation makes the worker check the Git host', new CancelRequestedError(), { kind: 'resolve_cancel' }],
    ['new commits by users restart the run', new BranchMovedError('moved'), { kind: 'restart' }],
    ['a run failure fails the job', new RunFailure('branch_gone', 'gone'), failed('branch_gone', 'gone')],
    [
      'a rejection by the Git host fails the job',
      new GitHttpError('forbidden', 'No.'),
      failed('git_host_forbidden', 'No.'),
    ],
    [
      'an outage is retried',
      outage,
      { kind: 'release', reason: 'error', afterMs: 5_000, code: 'git_host_server_error' },
    ],
    [
      'an unexpected error is retried',
      new TypeError('x'),
      { kind: 'release', reason: 'error', afterMs: 5_000, code: 'internal_error' },
    ],
  ])('%s', (_, error, step) => {
    expect(toNextStep(error, run())).toMatchObject(step)
  })

  test('a run failure keeps its checks and changes', () => {
    const changes = { baseCommit: 'c0ffee', files: [] }
    expect(toNextStep(new RunFailure('stuck', 'x', [], changes), run())).toMatchObject({
      outcome: { code: 'stuck', checks: [], changes },
    })
  })

  test('a follow-up restarts at most three times', () => {
    const error = new BranchMovedError('moved')
    expect(toNextStep(error, run({ restarts: 2 }))).toEqual({ kind: 'restart' })
    expect(toNextStep(error, run({ restarts: 3 }))).toEqual(failed('branch_conflict', 'moved'))
  })

  test('the message of an unexpected error does not appear in the job', () => {
    const step = toNextStep(new Error('secret detail'), run({ failures: 4 }))
    expect(step).toMatchObject({ kind: 'finish', outcome: { code: 'internal_error' } })
    expect(JSON.stringify(step)).not.toContain('secret detail')
  })
})

describe('retries', () => {
  const error = { afterMs: null, code: 'model_unavailable', message: 'm' } as const
  const asked = (afterMs: number) => ({ afterMs, code: 'model_unavailable', message: 'm' }) as const

  test('errors back off exponentially, and the fifth fails the job', () => {
    const steps = [0, 1, 2, 3, 4].map((failures) => toRetry(error, run({ failures })))
    expect(steps).toMatchObject([
      { reason: 'error', afterMs: 5_000 },
      { afterMs: 10_000 },
      { afterMs: 20_000 },
      { afterMs: 40_000 },
      failed('model_unavailable', 'm'),
    ])
  })

  test('an error at the attempt limit fails the job', () => {
    expect(toRetry(error, run({ attemptsUsed: 9 }))).toMatchObject({ kind: 'release' })
    expect(toRetry(error, run({ attemptsUsed: 10 }))).toEqual(failed('model_unavailable', 'm'))
  })

  test('an interrupted publish is retried with extra attempts, at most 5 minutes apart', () => {
    const exhausted = { attemptLimit: 15, failures: 12 }
    expect(toRetry(error, run({ ...exhausted, attemptsUsed: 14 }, 'attempts_exhausted'))).toMatchObject({
      kind: 'release',
      afterMs: 300_000,
    })
    expect(toRetry(error, run({ ...exhausted, attemptsUsed: 15 }, 'attempts_exhausted'))).toEqual(
      failed('model_unavailable', 'm'),
    )
    expect(toRetry(error, run({ ...exhausted, attemptsUsed: 14 }, 'cancelled'))).toEqual(
      failed('model_unavailable', 'm'),
    )
  })

  test('a requested wait is honored up to an hour, regardless of earlier errors', () => {
    const worn = run({ failures: 10, attemptsUsed: 10 })
    expect(toRetry(asked(75_000), worn)).toMatchObject({ kind: 'release', reason: 'waiting', afterMs: 75_000 })
    expect(toRetry(asked(0), worn)).toMatchObject({ reason: 'waiting', afterMs: 0 })
    expect(toRetry(asked(1e15), worn)).toMatchObject({ reason: 'waiting', afterMs: 3_600_000 })
  })

  test('the 25th wait fails the job', () => {
    expect(toRetry(asked(1_000), run({ releases: 23 }))).toMatchObject({ kind: 'release' })
    expect(toRetry(asked(1_000), run({ releases: 24 }))).toEqual(failed('model_unavailable', 'm'))
  })
})
