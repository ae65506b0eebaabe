import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expire } from './expire.ts'

test('a stall of the process leaves time to process the responses that arrived during it', async () => {
  let expired = false
  const limit = expire(20).finally(() => {
    expired = true
  })
  // Blocks the event loop for longer than the limit.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  // A new connection needs about five round trips, each of which takes a turn of the event loop.
  for (let turns = 0; turns < 5; turns += 1) await turn()
  expect(expired).toBe(false)
  expect(await limit).toBe(false)
})
