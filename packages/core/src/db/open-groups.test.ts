import { expect, test } from 'vitest'
import { type AddToGroup, openGroups } from './open-groups.ts'

function open(limits: { size: number; parallel: number; isPerOwner?: boolean }) {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const add: AddToGroup<string, string> = openGroups({
    ...limits,
    toOwner: (item) => item.charAt(0),
    async run(items) {
      groups.push([...items])
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((item) => item.toUpperCase())
    },
  })
  const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const end = async (n: number) => {
    ends[n]?.()
    await settle()
  }
  return { groups, add, end, settle }
}

test('items that arrive at the same time or while a group is running form one group', async () => {
  const { groups, add, end, settle } = open({ size: 10, parallel: 1 })
  const first = Promise.all(['a1', 'b1'].map(add))
  await settle()
  const second = Promise.all(['c1', 'a2'].map(add))
  await settle()
  expect(groups).toEqual([['a1', 'b1']])
  await end(0)
  expect(await first).toEqual(['A1', 'B1'])
  expect(groups).toEqual([
    ['a1', 'b1'],
    ['c1', 'a2'],
  ])
  await end(1)
  expect(await second).toEqual(['C1', 'A2'])
})

test('an owner with many items leaves places for others, and its items stay neighbours and in order', async () => {
  const { groups, add, end, settle } = open({ size: 4, parallel: 1 })
  const all = Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map(add))
  await settle()
  await end(0)
  await end(1)
  await all
  expect(groups).toEqual([
    ['a1', 'a2', 'b1', 'c1'],
    ['a3', 'a4', 'a5'],
  ])
})

test('owners that did not fit into a group are in the next one', async () => {
  const { groups, add, end, settle } = open({ size: 2, parallel: 1 })
  const all = Promise.all(['a1', 'a2', 'b1', 'b2', 'c1'].map(add))
  await settle()
  for (const n of [0, 1, 2]) await end(n)
  await all
  expect(groups).toEqual([['a1', 'b1'], ['c1', 'a2'], ['b2']])
})

test('an owner has items in one running group only', async () => {
  const { groups, add, end, settle } = open({ size: 10, parallel: 2 })
  const first = add('a1')
  await settle()
  const others = Promise.all(['a2', 'b1'].map(add))
  await settle()
  expect(groups).toEqual([['a1'], ['b1']])
  await end(0)
  expect(groups).toEqual([['a1'], ['b1'], ['a2']])
  await end(1)
  await end(2)
  expect([await first, await others]).toEqual(['A1', ['A2', 'B1']])
})

test('owners that wait at the same time are divided among the groups that can start', async () => {
  const { groups, add, end, settle } = open({ size: 10, parallel: 2 })
  const all = Promise.all(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'e1'].map(add))
  await settle()
  expect(groups).toEqual([
    ['a1', 'a2', 'b1', 'b2', 'c1'],
    ['d1', 'e1'],
  ])
  for (const n of [0, 1]) await end(n)
  await all
})

test('groups of one owner', async () => {
  const { groups, add, end, settle } = open({ size: 2, parallel: 1, isPerOwner: true })
  const all = Promise.all(['a1', 'b1', 'a2', 'a3'].map(add))
  await settle()
  for (const n of [0, 1, 2]) await end(n)
  await all
  expect(groups).toEqual([['a1', 'a2'], ['b1'], ['a3']])
})

test('an error of a group rejects its items only, and a pending result does not hold up the next group', async () => {
  let release = (_: string) => {}
  const add: AddToGroup<string, string> = openGroups({
    ...{ size: 1, parallel: 1, toOwner: (item: string) => item },
    async run([item = '']) {
      if (item === 'broken') throw new Error('no')
      if (item !== 'slow') return [item]
      const pending = new Promise<string>((resolve) => {
        release = resolve
      })
      return [pending]
    },
  })
  const [slow, broken, fine] = [add('slow'), add('broken'), add('fine')]
  await expect(broken).rejects.toThrow('no')
  expect(await fine).toBe('fine')
  release('slow')
  expect(await slow).toBe('slow')
})
