import { randomUUID } from 'node:crypto'
import { ensureRedisServer, startRedis } from '@corrigenda/testkit'
import { Redis } from 'ioredis'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { silent } from '../test-support/create-test-run.ts'
import { openConsumer, openQueue, type QueueBackend } from './queue.ts'

const backends = ['redis', 'postgres'] as const
const open = (kind: (typeof backends)[number]): QueueBackend => ({
  kind,
  url: inject(kind === 'redis' ? 'redisUrl' : 'postgresUrl'),
})

describe.each(backends)('queue on %s', (kind) => {
  test('delivers each wake-up to one consumer and counts undelivered wake-ups', async () => {
    const name = `q-${randomUUID()}`
    const queue = openQueue({ backend: open(kind), log: silent, name })
    expect(await queue.countWakeUps()).toBe(0)
    await queue.wakeWorker()
    await queue.wakeWorker()
    expect(await queue.countWakeUps()).toBe(2)
    let handled = 0
    const consumers = await Promise.all(
      [1, 2].map(() =>
        openConsumer({
          backend: open(kind),
          concurrency: 2,
          log: silent,
          name,
          handle: async () => {
            handled += 1
          },
        }),
      ),
    )
    await expect.poll(() => handled).toBe(2)
    expect(await queue.countWakeUps()).toBe(0)
    await Promise.all(consumers.map((c) => c.close()))
    await queue.close()
  })

  test('signals a handler when the lock on its queue entry is lost', async () => {
    const name = `q-${randomUUID()}`
    const queue = openQueue({ backend: open(kind), log: silent, name })
    let lost = 0
    let started = () => {}
    const hasStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    const consumer = await openConsumer({
      backend: open(kind),
      concurrency: 1,
      log: silent,
      name,
      lockMs: 500,
      handle: (lockLost) =>
        new Promise((resolve) => {
          lockLost.addEventListener('abort', () => {
            lost += 1
            resolve()
          })
          started()
        }),
    })
    await queue.wakeWorker()
    await hasStarted
    await loseLocks(kind, name)
    await expect.poll(() => lost).toBeGreaterThan(0)
    await consumer.close()
    await queue.close()
  })

  test('delivers later wake-ups after a handler throws', async () => {
    const name = `q-${randomUUID()}`
    const queue = openQueue({ backend: open(kind), log: silent, name })
    let calls = 0
    const consumer = await openConsumer({
      backend: open(kind),
      concurrency: 1,
      log: silent,
      name,
      handle: async () => {
        calls += 1
        throw new Error('handler')
      },
    })
    await queue.wakeWorker()
    await expect.poll(() => calls).toBe(1)
    await expect
      .poll(async () => {
        await queue.wakeWorker()
        return calls
      })
      .toBeGreaterThan(1)
    await consumer.close()
    await queue.close()
  })
})

test('rejects wake-ups immediately while the queue is unavailable and accepts them after it recovers', async () => {
  const redis = await startRedis(await ensureRedisServer())
  onTestFinished(() => redis.close())
  await redis.stop()
  const backend: QueueBackend = { kind: 'redis', url: redis.url }
  const queue = openQueue({ backend, log: silent, name: 'away' })
  let handled = 0
  const consumer = await openConsumer({
    backend,
    concurrency: 1,
    log: silent,
    name: 'away',
    handle: async () => {
      handled += 1
    },
  })
  await expect(queue.wakeWorker()).rejects.toThrow()
  await redis.restart()
  await expect
    .poll(() =>
      queue.wakeWorker().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(() => handled).toBeGreaterThan(0)
  const before = handled
  await redis.stop()
  await redis.restart()
  await expect
    .poll(() =>
      queue.wakeWorker().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(() => handled).toBeGreaterThan(before)
  await consumer.close()
  await queue.close()
})

/** Clears the queue, as FLUSHALL does. */
async function loseLocks(kind: 'redis' | 'postgres', name: string): Promise<void> {
  if (kind === 'redis') {
    const redis = new Redis(inject('redisUrl'))
    const keys = await redis.keys(`bull:${name}:*`)
    await redis.del(keys)
    redis.disconnect()
  } else {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query('DELETE FROM bullmq.job WHERE queue = $1', [name])
    await client.end()
  }
}
