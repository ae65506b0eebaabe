import { openLog } from '@corrigenda/core/runtime'
import { expect, test } from 'vitest'
import { type RunPoint, watchPhases } from './run-point.ts'

async function run(points: readonly (readonly [RunPoint, number])[]) {
  const lines: string[] = []
  const log = openLog({ level: 'info', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const passed: string[] = []
  const phases: string[] = []
  const onPoint = watchPhases({ log }, async (point) => void passed.push(point), {
    onPhase: (phase, seconds) => phases.push(`${phase} ${seconds >= 0}`),
  })
  for (const [point, attempt] of points) await onPoint(point, { runId: 'run_1', jobId: 'job_1', attempt })
  expect(passed).toEqual(points.map(([point]) => point))
  return { phases, entries: lines.map((line) => JSON.parse(line)) }
}

test('reports each phase of an attempt once', async () => {
  const order = ['run.claimed', 'checkout.opened', 'run.started', 'turn.saved', 'run.freezing'] as const
  const { phases, entries } = await run(
    [...order, 'run.frozen', 'branch.pushing', 'pull.opened', 'run.finished'].map((point) => [point as RunPoint, 1]),
  )
  expect(phases).toEqual(['preparing true', 'editing true', 'publishing true'])
  expect(entries).toMatchObject(
    ['preparing', 'editing', 'publishing'].map((phase) => ({
      msg: 'run phase ended',
      runId: 'run_1',
      jobId: 'job_1',
      attempt: 1,
      phase,
      ms: expect.any(Number),
    })),
  )
})

test('does not count the time of a lost attempt for the next one', async () => {
  const { phases } = await run([
    ['run.claimed', 1],
    ['checkout.opened', 1],
    ['run.claimed', 2],
    ['branch.pushing', 2],
    ['run.finished', 2],
  ])
  expect(phases).toEqual(['preparing true', 'preparing true', 'publishing true'])
})
