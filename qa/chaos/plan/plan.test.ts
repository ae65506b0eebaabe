import { expect, test } from 'vitest'
import { buildPages } from './build-pages.ts'
import { buildJobPlan } from './job-plan.ts'
import { buildRandom } from './random.ts'
import { openStrikes } from './strikes.ts'

const input = {
  name: 'job-1',
  project: 0,
  pages: buildPages(20),
  turns: { min: 3, max: 3 },
  delayMs: { min: 0, max: 9 },
}

test('builds the same plan for the same seed, and a different plan for a different seed', () => {
  const plan = (seed: number) => buildJobPlan(buildRandom(seed).fork('job'), input)
  expect(plan(5)).toEqual(plan(5))
  expect(plan(5).prompt).not.toBe(plan(6).prompt)
})

test('keeps the random numbers of each part independent of the other parts', () => {
  const random = buildRandom(5)
  const before = random.fork('a').int(0, 1e9)
  random.next()
  expect(random.fork('a').int(0, 1e9)).toBe(before)
})

test('returns numbers within the range, including both limits', () => {
  const random = buildRandom(1)
  const drawn = new Set(Array.from({ length: 200 }, () => random.int(2, 5)))
  expect([...drawn].sort()).toEqual([2, 3, 4, 5])
})

test('lists the resulting text of every file that the plan changes', () => {
  const { files, turns } = buildJobPlan(buildRandom(3), input)
  expect(turns).toBe(5)
  expect(files.size).toBeGreaterThan(0)
  for (const text of files.values()) expect(text).toContain('Written by job-1')
})

test('applies a strike once after the given number of passes, then the next strike', async () => {
  const strikes = openStrikes()
  const arrival = { point: 'model.calling', runId: 'run_1', jobId: 'job_1', attempt: 1, worker: 'w', pid: 1 } as const
  strikes.set('job_1', [
    { point: 'model.calling', skip: 1, order: 'kill' },
    { point: 'run.claimed', skip: 0, order: 'stop' },
  ])
  const decisions = []
  for (let n = 0; n < 3; n += 1) decisions.push(await strikes.decide(arrival))
  expect(decisions).toEqual(['go', 'kill', 'go'])
  expect(strikes.left().get('job_1')).toHaveLength(1)
  expect(await strikes.decide({ ...arrival, point: 'run.claimed' })).toBe('stop')
  expect(await strikes.whenStruck('job_1', 0)).toMatchObject({ point: 'run.claimed' })
})
