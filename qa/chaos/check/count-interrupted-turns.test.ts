import type { RunPoint } from '@corrigenda/worker'
import { expect, test } from 'vitest'
import { openHistory } from '../history/history.ts'
import { countInterruptedTurns } from './count-interrupted-turns.ts'

const history = openHistory()
const at = (jobId: string, attempt: number, pid: number, ...points: RunPoint[]) => {
  for (const point of points) {
    history.add({ kind: 'point', order: 'go', point, runId: `run_${jobId}`, jobId, attempt, worker: `w${pid}`, pid })
  }
}
const exit = (pid: number, signal: string | null) =>
  history.add({ kind: 'exit', process: `w${pid}`, pid, code: null, signal, byItself: false })

test('counts a turn only for the kill that interrupted it', () => {
  at('asked', 1, 1, 'run.claimed', 'model.calling')
  at('answered', 1, 1, 'run.claimed', 'model.calling', 'model.answered')
  at('kept', 1, 1, 'run.claimed', 'model.calling', 'model.answered', 'turn.saved')
  exit(1, 'SIGKILL')
  at('outage', 1, 2, 'run.claimed', 'model.calling', 'model.answered')
  at('released', 1, 2, 'run.claimed', 'model.calling')
  exit(2, null)
  for (const job of ['asked', 'answered', 'kept', 'outage', 'released']) at(job, 2, 3, 'run.claimed', 'model.answered')
  at('last', 1, 1, 'run.claimed', 'model.answered')
  expect(Object.fromEntries(countInterruptedTurns(history))).toEqual({
    asked: { killed: 1, otherwise: 0 },
    answered: { killed: 1, otherwise: 0 },
    kept: { killed: 0, otherwise: 0 },
    outage: { killed: 0, otherwise: 1 },
    released: { killed: 0, otherwise: 0 },
    // No turn was requested again.
    last: { killed: 0, otherwise: 0 },
  })
})
