import { expect, test } from 'vitest'
import { buildFairQueue } from './fair-queue.ts'

test('names take turns, one work runs at a time, and an aborted waiter delays no other', async () => {
  const queue = buildFairQueue()
  const order: string[] = []
  let running = 0
  const add = (name: string, id: string, signal?: AbortSignal) =>
    queue.run(name, signal, async () => {
      running += 1
      expect(running).toBe(1)
      order.push(id)
      await new Promise(setImmediate)
      running -= 1
    })
  const abort = new AbortController()
  const works = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3')]
  const aborted = expect(add('a', 'a4', abort.signal)).rejects.toThrow('aborted')
  works.push(add('a', 'a5'), add('b', 'b1'), add('b', 'b2'), add('c', 'c1'))
  abort.abort()
  await aborted
  await Promise.all(works)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a5'])
  await expect(queue.run('a', undefined, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await queue.run('a', undefined, async () => 'free')).toBe('free')
})
