import { expect, test } from 'vitest'
import { ABSENT_MS, findDeadWorkers } from './find-dead-workers.ts'

const OWN = 1

/** Takes looks at these times and returns the dead workers after each one. */
function judge(...looks: [at: number, held: number[]][]): number[][] {
  const next = findDeadWorkers(OWN)
  return looks.map(([at, held]) => [...next({ at, held: new Set([OWN, ...held]) }).keys()])
}

test('a worker is dead when looks in a row miss its lock for long enough', () => {
  expect(judge([0, [2]], [1_000, []], [1_000 + ABSENT_MS - 1, []], [1_000 + ABSENT_MS, []])).toEqual([[], [], [], [2]])
})

test('one look is not enough, however late it is', () => {
  expect(judge([0, [2]], [60_000, []], [60_000 + ABSENT_MS, []])).toEqual([[], [], [2]])
})

test('a lock that is held again in between starts a new absence', () => {
  expect(judge([0, [2]], [1_000, []], [2_000, [2]], [1_000 + ABSENT_MS, []], [1_000 + 2 * ABSENT_MS, []])).toEqual([
    ...[[], [], [], []],
    [2],
  ])
})

test('a worker whose lock was never seen is not dead, and neither is the own worker', () => {
  expect(judge([0, []], [ABSENT_MS, []], [2 * ABSENT_MS, []])).toEqual([[], [], []])
})

test('workers that disappear together are ignored until their locks are held again', () => {
  const all = [2, 3, 4]
  expect(judge([0, all], [1_000, [4]], [1_000 + ABSENT_MS, [4]], [60_000, [4]])).toEqual([[], [], [], []])
  expect(judge([0, all], [1_000, [3, 4]], [2_000, [4]], [9_000, [4]])).toEqual([[], [], [], []])
  const back = judge([0, all], [1_000, []], [2_000, all], [3_000, [3, 4]], [3_000 + ABSENT_MS, [3, 4]])
  expect(back.at(-1)).toEqual([2])
})

test('a minority of workers may die together', () => {
  expect(judge([0, [2, 3, 4, 5]], [1_000, [4, 5]], [1_000 + ABSENT_MS, [4, 5]]).at(-1)).toEqual([2, 3])
})

test('a dead worker is reported for some seconds, until its lock is held again', () => {
  const looks = judge([0, [2]], [1_000, []], [4_000, []], [5_000, []], [6_000, [2]], [7_000, []])
  expect(looks).toEqual([[], [], [2], [2], [], []])
  expect(judge([0, [2]], [1_000, []], [60_000, []], [61_000, []])).toEqual([[], [], [2], []])
})
