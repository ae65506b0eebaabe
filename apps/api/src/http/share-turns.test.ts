import { expect, test } from 'vitest'
import { openTurns } from './open-turns.ts'
import { shareTurns } from './share-turns.ts'

const tick = () => new Promise(setImmediate)

/** Starts requests by owner, and records those that have a turn. */
function open(limits: { perOwner: number; waitingPerOwner?: number }) {
  const refuse = () => new Error('too much waits')
  const turns = openTurns({ perOwner: limits.perOwner, waitingPerOwner: 1_000, refuse })
  const join = shareTurns(turns, { waitingPerOwner: 1_000, ...limits, refuse })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const start = async (name: string) => {
    ends.set(name, await join(name.slice(0, 1)))
    started.push(name)
  }
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.()
    await tick()
  }
  return { start, started, end, turns }
}

test("requests of an owner that wait at the same time share a turn, which ends with the last one's end", async () => {
  const { start, started, end } = open({ perOwner: 1 })
  for (const name of ['a1', 'a2', 'b1']) void start(name)
  await tick()
  expect(started).toEqual(['a1', 'a2', 'b1'])
  for (const name of ['a3', 'a4', 'b2']) void start(name)
  await tick()
  expect(started.slice(3)).toEqual([])
  await end('a1')
  expect(started.slice(3)).toEqual([])
  await end('a2')
  expect(started.slice(3)).toEqual(['a3', 'a4'])
  await end('b1')
  expect(started.slice(5)).toEqual(['b2'])
})

test('the shares of owners count each request of a turn', async () => {
  const refuse = () => new Error('too much waits')
  const counted: [string, number][] = []
  const shares = { count: (...entry: [string, number]) => void counted.push(entry), isDominant: () => false }
  const join = shareTurns(openTurns({ perOwner: 1, waitingPerOwner: 10, shares, refuse }), {
    waitingPerOwner: 10,
    refuse,
  })
  const ends = await Promise.all([join('a'), join('a'), join('a'), join('b')])
  for (const end of ends) end()
  expect(counted).toEqual([
    ['a', 3],
    ['b', 1],
  ])
})

test('at most a hundred requests share a turn', async () => {
  const { start, started, end } = open({ perOwner: 1 })
  const names = Array.from({ length: 150 }, (_, n) => `a${n}`)
  for (const name of names) void start(name)
  await tick()
  expect(started).toHaveLength(100)
  await end(...started)
  expect(started).toEqual(names)
})

test('refuses requests when too many of their owner wait, and counts only those that still wait', async () => {
  const { start, started, end } = open({ perOwner: 1, waitingPerOwner: 3 })
  void start('a0')
  await tick()
  for (const name of ['a1', 'a2', 'a3']) void start(name)
  await expect(start('a4')).rejects.toThrow('too much waits')
  await start('b1')
  await end('a0')
  expect(started).toEqual(['a0', 'b1', 'a1', 'a2', 'a3'])
  void start('a5')
  await end('a1', 'a2', 'a3')
  expect(started.at(-1)).toBe('a5')
})

test('a refused turn refuses its requests and no later ones', async () => {
  const refuse = () => new Error('refused')
  const turns = openTurns({ perOwner: 1, waitingPerOwner: 0, refuse })
  const join = shareTurns(turns, { waitingPerOwner: 10, refuse })
  const end = await join('a')
  await Promise.all([1, 2].map(() => expect(join('a')).rejects.toThrow('refused')))
  end()
  await expect(join('a')).resolves.toEqual(expect.any(Function))
})
