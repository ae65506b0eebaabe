import { expect, test } from 'vitest'
import { readCall } from './read-call.ts'

test('without arguments: all parts on both queues', () => {
  expect(readCall([])).toMatchObject({
    parts: ['random', 'points', 'zombies', 'recovery', 'soak'],
    queues: ['redis', 'postgres'],
    seed: null,
    short: false,
  })
})

test('parts and figures are read', () => {
  expect(readCall(['points', 'soak', '--queue', 'redis', '--seed', '5', '--lease', '4', '--short'])).toMatchObject({
    parts: ['points', 'soak'],
    queues: ['redis'],
    seed: 5,
    leaseSeconds: 4,
    short: true,
  })
})

test.each([['nothing'], ['--queue=kafka'], ['--seed=x'], ['--jobs=0'], ['--what']])(
  '%s is refused with a reason',
  (arg) => {
    expect(readCall([arg])).toMatchObject({ problem: expect.stringMatching(/./) })
  },
)
