import { expect, test } from 'vitest'
import { openLog } from '../runtime/open-log.ts'
import { silent } from '../test-support/create-test-run.ts'
import { pollUntilStopped } from './poll-until-stopped.ts'

const HOUR = 3_600_000

/** Builds work that ends on request. */
function buildWork() {
  let end = () => {}
  const work = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work, end }
}

test('polls again without a delay while it finds work and slots are free', async () => {
  const found = [buildWork(), buildWork(), buildWork()]
  const capacities: number[] = []
  const loop = pollUntilStopped(
    { log: silent },
    {
      name: 'test',
      everyMs: HOUR,
      slots: 2,
      async poll(capacity) {
        capacities.push(capacity)
        const next = found[capacities.length - 1]
        return next ? [next.work] : []
      },
    },
  )
  await expect.poll(() => capacities).toEqual([2, 1])
  // A freed slot is filled without waiting for the interval.
  found[0]?.end()
  await expect.poll(() => capacities).toEqual([2, 1, 1])
  for (const { end } of found) end()
  await loop.stop()
})

test('polls again when it is woken, also during a poll', async () => {
  let polls = 0
  const poll = async () => {
    polls += 1
  }
  const loop = pollUntilStopped({ log: silent }, { name: 'test', everyMs: HOUR, poll })
  loop.wake()
  await expect.poll(() => polls).toBe(2)
  loop.wake()
  await expect.poll(() => polls).toBe(3)
  await loop.stop()
})

test('polls again after the interval when a poll finds no work', async () => {
  let polls = 0
  const loop = pollUntilStopped(
    { log: silent },
    {
      name: 'test',
      everyMs: 1,
      async poll() {
        polls += 1
      },
    },
  )
  await expect.poll(() => polls).toBeGreaterThan(5)
  await loop.stop()
})

test('when stopped, waits for the current poll and running work and starts no new work', async () => {
  const { work, end } = buildWork()
  const polling = buildWork()
  let polls = 0
  const loop = pollUntilStopped(
    { log: silent },
    {
      name: 'test',
      everyMs: 1,
      slots: 2,
      async poll() {
        polls += 1
        if (polls === 2) await polling.work
        return polls === 1 ? [work] : []
      },
    },
  )
  await expect.poll(() => polls).toBe(2)
  const log: string[] = []
  const stopped = loop.stop().then(() => log.push('stopped'))
  polling.end()
  // Within these event loop turns, a stop that did not wait for the work would complete.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  log.push('work ended')
  end()
  await stopped
  expect(log).toEqual(['work ended', 'stopped'])
  expect(polls).toBe(2)
})

test('stops on shutdown, even if the shutdown preceded the start', async () => {
  const shutdown = new AbortController()
  let polls = 0
  const start = () =>
    pollUntilStopped(
      { log: silent },
      {
        name: 'test',
        everyMs: HOUR,
        shutdown: shutdown.signal,
        async poll() {
          polls += 1
        },
      },
    )
  const loop = start()
  shutdown.abort()
  await loop.stop()
  expect(polls).toBe(1)
  await start().stop()
  expect(polls).toBe(1)
})

test('logs errors from polls and work, and the first poll that succeeds again', async () => {
  const lines: string[] = []
  const log = openLog({ level: 'debug', secrets: [], destination: { write: (line) => void lines.push(line) } })
  let polls = 0
  const loop = pollUntilStopped(
    { log },
    {
      name: 'test',
      everyMs: 1,
      async poll() {
        polls += 1
        if (polls === 1) throw new Error('poll error')
        if (polls === 2) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
        if (polls === 3) return [Promise.reject(new Error('work error'))]
        return []
      },
    },
  )
  await expect.poll(() => polls).toBeGreaterThan(4)
  await loop.stop()
  const entries = lines.map((line) => JSON.parse(line))
  expect(entries).toMatchObject([
    { poll: 'test', msg: 'poll failed; retrying', err: { message: 'poll error' } },
    { poll: 'test', msg: 'poll failed; retrying', database: 'unavailable' },
    { poll: 'test', level: 'info', msg: 'poll restored', failures: 2 },
    { poll: 'test', msg: 'work failed', err: { message: 'work error' } },
  ])
})
