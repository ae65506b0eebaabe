import { expect, test } from 'vitest'
import { readCall } from './read-call.ts'

test('selects all parts and both queues if no arguments are given', () => {
  expect(readCall([])).toMatchObject({
    parts: ['random', 'points', 'zombies', 'recovery', 'soak'],
    queues: ['redis', 'postgres'],
    seed: null,
    short: false,
  })
})

test('parses parts and options', () => {
  expect(readCall(['points', 'soak', '--queue', 'redis', '--seed', '5', '--lease', '4', '--short'])).toMatchObject({
    parts: ['points', 'soak'],
    queues: ['redis'],
    seed: 5,
    leaseSeconds: 4,
    short: true,
  })
})

test.each([['nothing'], ['--queue=kafka'], ['--seed=x'], ['--jobs=0'], ['--what']])(
  'rejects %s with a reason',
  (arg) => {
    expect(readCall([arg])).toMatchObject({ problem: expect.stringMatching(/./) })
  },
)
