import { expect, test } from 'vitest'
import { watchShares } from './watch-shares.ts'

function open() {
  let now = 1_000_000
  const shares = watchShares(() => now)
  const count = (owner: string, times: number) => {
    for (let n = 0; n < times; n += 1) shares.count(owner, 1)
  }
  return {
    ...{ shares, count },
    wait: (ms: number) => {
      now += ms
    },
  }
}

test('an owner with most of the recent turns is dominant while others are active', () => {
  const { shares, count, wait } = open()
  count('a', 100)
  expect(shares.isDominant('a')).toBe(false)
  count('b', 1)
  expect(shares.isDominant('a')).toBe(true)
  expect(shares.isDominant('b')).toBe(false)
  wait(9_000)
  count('a', 3)
  expect(shares.isDominant('a')).toBe(true)
  wait(2_000)
  count('a', 3)
  expect(shares.isDominant('a')).toBe(false)
})

test('owners with equal shares are not dominant, and old turns do not count', () => {
  const { shares, count, wait } = open()
  for (let n = 0; n < 20; n += 1) count(`owner-${n % 2}`, 1)
  expect(shares.isDominant('owner-0')).toBe(false)
  count('owner-0', 40)
  expect(shares.isDominant('owner-0')).toBe(true)
  wait(1_000)
  expect(shares.isDominant('owner-0')).toBe(false)
  count('owner-1', 5)
  count('owner-0', 5)
  expect(shares.isDominant('owner-0')).toBe(false)
})
