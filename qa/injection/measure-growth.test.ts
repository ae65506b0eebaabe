import { expect, test } from 'vitest'
import { LINEAR, measureGrowth } from './measure-growth.ts'

const work = (steps: number) => {
  let sum = 0
  for (let step = 0; step < steps; step += 1) sum += Math.sqrt(step)
  return sum
}

test('distinguishes linear from quadratic growth', async () => {
  expect(await measureGrowth((n) => work(n * 5_000), 3_000, 5)).toBeLessThan(LINEAR)
  expect(await measureGrowth((n) => work(n * n), 4_000, 5)).toBeGreaterThanOrEqual(LINEAR)
})
