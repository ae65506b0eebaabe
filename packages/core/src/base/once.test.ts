import { expect, test } from 'vitest'
import { once } from './once.ts'

test('concurrent and later calls share one load', async () => {
  let loads = 0
  const get = once(async () => {
    loads += 1
    return { loads }
  })
  const [first, second] = await Promise.all([get(), get()])
  expect(second).toBe(first)
  expect(await get()).toBe(first)
  expect(loads).toBe(1)
})

test('a load that failed is repeated at the next call', async () => {
  let loads = 0
  const get = once(async () => {
    loads += 1
    if (loads === 1) throw new Error('missing')
    return loads
  })
  const results = await Promise.allSettled([get(), get()])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(loads).toBe(1)
  expect(await get()).toBe(2)
})
