import { expect, test } from 'vitest'
import { type BatchOptions, openBatches } from './open-batches.ts'

/** Opens batches whose reads wait until they are answered. */
function open(options: Partial<BatchOptions<string, string>> = {}) {
  const batches: { inputs: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = []
  let version = 0
  const read = openBatches<string, string>({
    ...{ size: 100, parallel: 1, slowMs: 60_000 },
    ...options,
    read(inputs) {
      // The state when the statement starts.
      const state = version
      const answers = inputs.map((input) => async () => {
        if (input === 'broken') throw new Error('this input only')
        return `${input} ${state}`
      })
      return new Promise((resolve, reject) => {
        batches.push({ inputs, answer: () => resolve(answers), fail: reject })
      })
    },
  })
  return {
    read: (id: string) => read(id, () => id),
    /** The inputs of the batches that have started. */
    seen: () => batches.map(({ inputs }) => inputs),
    answer: (n: number) => batches[n]?.answer(),
    fail: (n: number) => batches[n]?.fail(new Error('the statement')),
    change() {
      version += 1
    },
  }
}

const tick = () => new Promise(setImmediate)

test('reads that are requested at the same time share a statement, and equal reads share a result', async () => {
  const { read, seen, answer } = open()
  const reads = ['a', 'b', 'a'].map(read)
  await tick()
  expect(seen()).toEqual([['a', 'b']])
  answer(0)
  expect(await Promise.all(reads)).toEqual(['a 0', 'b 0', 'a 0'])
})

test('a read never joins a statement that started before it, so it returns the state at its request or later', async () => {
  const { read, seen, answer, change } = open({ parallel: 2 })
  const before = read('a')
  await tick()
  change()
  const after = read('a')
  await tick()
  expect(seen()).toEqual([['a'], ['a']])
  answer(1)
  answer(0)
  expect([await before, await after]).toEqual(['a 0', 'a 1'])
})

test('limits the batches that run at the same time and their size', async () => {
  const { read, seen, answer } = open({ size: 2 })
  const first = read('a')
  await tick()
  const others = ['b', 'c', 'd'].map(read)
  await tick()
  expect(seen()).toEqual([['a']])
  answer(0)
  await first
  expect(seen()).toEqual([['a'], ['b', 'c']])
  answer(1)
  await others[0]
  expect(seen()).toEqual([['a'], ['b', 'c'], ['d']])
  answer(2)
  expect(await Promise.all(others)).toEqual(['b 0', 'c 0', 'd 0'])
})

test('a failed statement fails only its batch, and a failed input only its read', async () => {
  const { read, answer, fail } = open()
  const failed = ['a', 'b'].map((id) => expect(read(id)).rejects.toThrow('the statement'))
  await tick()
  const next = read('a')
  fail(0)
  await Promise.all(failed)
  answer(1)
  expect(await next).toBe('a 0')
  const broken = expect(read('broken')).rejects.toThrow('this input only')
  const good = read('c')
  await tick()
  answer(2)
  expect(await good).toBe('c 0')
  await broken
})

test('a slow statement does not delay further reads', async () => {
  const { read, answer, seen } = open({ slowMs: 20 })
  const slow = read('slow')
  await tick()
  const next = read('next')
  await expect.poll(seen).toEqual([['slow'], ['next']])
  answer(1)
  expect(await next).toBe('next 0')
  answer(0)
  expect(await slow).toBe('slow 0')
  // The slow statement is counted once.
  const further = [read('a'), tick().then(() => read('b'))]
  await tick()
  await tick()
  expect(seen().slice(2)).toEqual([['a']])
  answer(2)
  await further[0]
  await tick()
  answer(3)
  expect(await Promise.all(further)).toEqual(['a 0', 'b 0'])
})
