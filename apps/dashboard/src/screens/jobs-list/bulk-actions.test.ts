import { expect, test } from 'vitest'
import { ApiError } from '../../api/request.ts'
import { runBulk } from './bulk-actions.ts'

const limited = (seconds: number) => new ApiError('rate_limited', 'Too many requests.', 429, seconds)

test('reports each result, at most four calls at a time', async () => {
  let running = 0
  let most = 0
  const results: [number, unknown][] = []
  await runBulk({
    items: Array.from({ length: 10 }, (_, n) => n),
    act: async (n) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      if (n === 7) throw new Error('no')
    },
    onResult: (n, error) => results.push([n, error]),
  })
  expect(most).toBe(4)
  expect(results.map(([n]) => n).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(results.filter(([, error]) => error !== null)).toEqual([[7, new Error('no')]])
})

test('waits for a short rate limit, but not for a long one or without end', async () => {
  const run = async (seconds: number, failures: number) => {
    const waits: number[] = []
    const results: unknown[] = []
    let calls = 0
    await runBulk({
      items: ['x'],
      act: async () => {
        calls += 1
        if (calls <= failures) throw limited(seconds)
      },
      onResult: (_, error) => results.push(error),
      pause: async (ms) => void waits.push(ms),
    })
    return { waits, result: results[0] }
  }
  expect(await run(2, 2)).toEqual({ waits: [2_000, 2_000], result: null })
  expect(await run(600, 1)).toEqual({ waits: [], result: limited(600) })
  expect(await run(1, 9)).toEqual({ waits: [1_000, 1_000, 1_000], result: limited(1) })
})
