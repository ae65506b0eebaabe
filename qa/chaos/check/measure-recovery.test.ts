import { expect, test } from 'vitest'
import { type History, openHistory } from '../history/history.ts'
import { measureRecovery, summarize } from './measure-recovery.ts'
import type { EventRow, Tables } from './read-tables.ts'

const claim = {
  kind: 'point',
  order: 'go',
  point: 'run.claimed',
  runId: 'run_1',
  jobId: 'job_1',
  worker: 'w',
  attempt: 1,
} as const
const event = (type: string, at: number, attempt?: number): EventRow => ({
  job_id: 'job_1',
  seq: at,
  type,
  data: attempt === undefined ? {} : { attempt },
  at,
})
const tables = (...events: EventRow[]): Tables => ({
  jobs: [],
  runs: [{ id: 'run_1', job_id: 'job_1', active: false, attempt: 2, handovers: 0 }],
  events: new Map([['job_1', events]]),
  transcripts: new Map(),
})
/** Process 7 claims the run at 10 ms and is killed or receives SIGTERM at 100 ms. */
const history = (end: 'kill' | 'term'): History => {
  const real = openHistory()
  const last =
    end === 'kill'
      ? ({ kind: 'exit', process: 'w', pid: 7, code: null, signal: 'SIGKILL', byItself: false } as const)
      : ({ kind: 'act', act: 'term', target: 'w', pid: 7 } as const)
  const entries = [
    { at: 10, ...claim, pid: 7 },
    { at: 100, ...last },
  ]
  return { ...real, entries, list: (kind) => entries.filter((entry) => entry.kind === kind) as never }
}

test('measures the time from a kill to the next claim', () => {
  const events = [event('job.started', 10, 1), event('job.resumed', 2_600, 2), event('job.completed', 3_000)]
  expect(measureRecovery(history('kill'), tables(...events)).afterDeath).toEqual([2_500])
})

test('ignores a run that another worker had claimed before the kill', () => {
  const events = [event('job.started', 10, 1), event('job.resumed', 90, 2), event('job.completed', 3_000)]
  expect(measureRecovery(history('kill'), tables(...events)).afterDeath).toEqual([])
})

test('ignores a run that had already ended and reports infinity for a run that is not claimed again', () => {
  const ended = [event('job.started', 10, 1), event('job.completed', 90)]
  expect(measureRecovery(history('kill'), tables(...ended)).afterDeath).toEqual([])
  expect(measureRecovery(history('kill'), tables(event('job.started', 10, 1))).afterDeath).toEqual([
    Number.POSITIVE_INFINITY,
  ])
})

test('measures the time from SIGTERM to the next claim of a released run', () => {
  const events = [event('job.started', 10, 1), event('job.released', 120), event('job.resumed', 150, 2)]
  expect(measureRecovery(history('term'), tables(...events)).afterTerm).toEqual([50])
})

test('returns percentiles in seconds', () => {
  expect(summarize(Array.from({ length: 100 }, (_, n) => (n + 1) * 1000))).toEqual({ p50: 51, p99: 100, max: 100 })
  expect(summarize([])).toEqual({ p50: 0, p99: 0, max: 0 })
})
