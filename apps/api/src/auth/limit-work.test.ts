import { expect, test } from 'vitest'
import { limitWork } from './limit-work.ts'

test('runs a limited number at the same time, in order, and refuses work when too much is waiting', async () => {
  const limit = limitWork({ concurrent: 2, waiting: 2 })
  const order: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string) =>
    limit(() => {
      order.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const work = ['a', 'b', 'c', 'd'].map(start)
  expect(order).toEqual(['a', 'b'])
  await expect(start('e')).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 })
  ends[0]?.()
  await work[0]
  await expect.poll(() => order).toEqual(['a', 'b', 'c'])
  ends[1]?.()
  await work[1]
  await expect.poll(() => order).toEqual(['a', 'b', 'c', 'd'])
  for (const end of ends) end()
  await Promise.all(work)
})

test('work that fails frees its place', async () => {
  const limit = limitWork({ concurrent: 1, waiting: 1 })
  await expect(limit(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await limit(async () => 1)).toBe(1)
})
