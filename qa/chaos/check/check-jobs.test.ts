import { expect, onTestFinished, test, vi } from 'vitest'
import type { AcceptedJob } from '../client/submit-job.ts'
import { openHistory } from '../history/history.ts'
import { checkAnswers, checkCancels, checkProcesses } from './check-answers.ts'
import { checkJobs, checkTransitions } from './check-jobs.ts'
import type { EventRow, JobRow, RunRow, Tables } from './read-tables.ts'

const job = (over: { cancelAfterMs?: number } = {}): AcceptedJob => ({
  id: 'job_1',
  project: { id: 'prj_1', key: 'k', repository: 'acme/docs' },
  plan: { name: 'one', prompt: '', project: 0, files: new Map(), turns: 3, cancelAfterMs: over.cancelAfterMs ?? null },
})
const events = (...types: string[]): EventRow[] => {
  let attempt = 0
  return types.map((type, index) => {
    const isClaim = type === 'job.started' || type === 'job.resumed'
    if (isClaim) attempt += 1
    return { job_id: 'job_1', seq: index + 1, type, data: isClaim ? { attempt } : {}, at: index }
  })
}
const WHOLE = events('job.created', 'job.started', 'job.completed')

function tables(
  over: { job?: Partial<JobRow>; run?: Partial<RunRow>; events?: EventRow[]; answers?: number } = {},
): Tables {
  const rows = over.events ?? WHOLE
  const row = { id: 'job_1', status: 'completed', outcome: 'changed', failure_code: null, pr_link: 'x' }
  const run = { id: 'run_1', job_id: 'job_1', active: false, attempt: 1, handovers: 0 }
  const answers = over.answers ?? 3
  return {
    jobs: [{ ...row, last_event_seq: rows.length, ...over.job }],
    runs: [{ ...run, ...over.run }],
    events: new Map([['job_1', rows]]),
    transcripts: new Map([['run_1', { run_id: 'run_1', rows: 8, answers, max_seq: 7 }]]),
  }
}

test('reports no violations for a job without errors', () => {
  expect(checkJobs(tables(), [job()])).toEqual([])
})

const failed = { status: 'failed', outcome: 'failed', failure_code: 'internal_error' }
const failure = events('job.created', 'job.started', 'job.failed')
test.each<[string, Tables, RegExp]>([
  ['a lost job', { ...tables(), jobs: [] }, /is lost/],
  ['a job that stays active', tables({ job: { status: 'active', outcome: null } }), /has not ended/],
  ['a run that outlives its job', tables({ run: { active: true } }), /its run is active/],
  ['a gap in the events', tables({ events: WHOLE.map((one) => ({ ...one, seq: one.seq * 2 })) }), /gaps/],
  [
    'a second final event',
    tables({ events: events('job.created', 'job.started', 'job.completed', 'job.completed') }),
    /ended 2 times/,
  ],
  [
    'a write after the job has ended',
    tables({ events: events('job.started', 'job.completed', 'tool.called') }),
    /after it ended/,
  ],
  ['a final event that contradicts the status', tables({ events: failure }), /its last event is job.failed/],
  ['an attempt without a claim', tables({ run: { attempt: 2 } }), /its attempt is 2/],
  ['an extra turn', tables({ answers: 4 }), /model responses in its transcript: 4, expected 3/],
  ['an unexplained failure', tables({ job: failed, events: failure }), /has the outcome failed \(internal_error\)/],
  [
    'an unrequested cancellation',
    tables({ job: { ...failed, outcome: 'cancelled' }, events: failure }),
    /without a request/,
  ],
  [
    'a duplicate job',
    { ...tables(), jobs: [...tables().jobs, ...tables({ job: { id: 'job_2' } }).jobs] },
    /no response reported it/,
  ],
])('detects %s', (_, broken, message) => {
  expect(checkJobs(broken, [job()]).join('\n')).toMatch(message)
})

test('detects an accepted cancel request that had no effect and a status change after a job has ended', () => {
  const history = openHistory()
  history.add({ kind: 'status', job: 'job_1', from: null, to: 'active' })
  history.add({ kind: 'status', job: 'job_1', from: 'active', to: 'completed' })
  expect(checkTransitions(history)).toEqual([])
  history.add({ kind: 'status', job: 'job_1', from: 'completed', to: 'failed' })
  expect(checkTransitions(history)).toHaveLength(1)
  history.add({ kind: 'cancel', job: 'job_1', status: 200, code: null })
  expect(checkCancels(history, tables(), [job()]).join()).toMatch(/returned 200 but the outcome is changed/)
})

test('accepts only documented 503 responses, and lost connections only after a fault of the database', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)
  const history = openHistory()
  history.add({ kind: 'answer', method: 'GET', status: 503, code: 'service_unavailable' })
  history.add({ kind: 'answer', method: 'POST', status: 503, code: 'cancel_pending' })
  history.add({ kind: 'answer', method: 'POST', status: 409, code: 'job_ended' })
  expect(checkAnswers(history)).toEqual([])
  history.add({ kind: 'answer', method: 'GET', status: 500, code: 'internal_error' })
  expect(checkAnswers(history)).toHaveLength(1)
  history.add({ kind: 'answer', method: 'POST', status: 503, code: 'outcome_unknown' })
  expect(checkAnswers(history)).toHaveLength(2)
  wait(1)
  history.add({ kind: 'act', act: 'postgres-crash', target: null, pid: null })
  wait(19_000)
  history.add({ kind: 'answer', method: 'POST', status: 503, code: 'outcome_unknown' })
  history.add({ kind: 'exit', process: 'worker-1', pid: 3, code: 1, signal: null, byItself: true })
  expect(checkAnswers(history)).toHaveLength(2)
  expect(checkProcesses(history)).toEqual([])
  wait(2_000)
  history.add({ kind: 'answer', method: 'POST', status: 503, code: 'outcome_unknown' })
  expect(checkAnswers(history)).toHaveLength(3)
})

test('accepts only requested exits', () => {
  const history = openHistory()
  history.add({ kind: 'exit', process: 'worker-1', pid: 1, code: null, signal: 'SIGKILL', byItself: false })
  expect(checkProcesses(history)).toEqual([])
  history.add({ kind: 'exit', process: 'worker-1', pid: 2, code: 1, signal: null, byItself: true })
  expect(checkProcesses(history)).toHaveLength(1)
})
