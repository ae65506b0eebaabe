import { expect, test } from 'vitest'
import { finishRun } from '../runs/finish-run.ts'
import { claim } from '../test-support/create-test-run.ts'
import { quotaLock } from './count-quota.ts'
import { createJob } from './create-job.ts'
import { openMessages } from './test-support/open-messages.ts'

test("does not block the project's other requests while a message waits for a suspended worker", async () => {
  const { database, deps, run, send } = await openMessages()
  await claim(database, run.runId)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = () => {}
  const held = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const stopped = database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM runs WHERE id = ${run.runId} FOR UPDATE`
    isHeld()
    await released
  })
  await held
  const waiting = send('Waits.')
  const isWaiting = async () => {
    const rows = await database.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND query LIKE '%FROM runs WHERE job_id%'`
    return rows.length > 0
  }
  await expect.poll(isWaiting).toBe(true)
  const created = await createJob(
    { ...deps, defaultModel: 'm', quota: deps.messageQuota },
    { projectId: run.projectId, request: { prompt: 'x' }, idempotencyKey: null },
  )
  expect(created.replayed).toBe(false)
  expect(await isWaiting()).toBe(true)
  release()
  await stopped
  expect((await waiting).status).toBe('active')
})

test('does not block a retry of the same job while a message waits for the quota lock', async () => {
  const { database, run, key, send } = await openMessages()
  await finishRun(database, (await claim(database, run.runId))!, { kind: 'no_changes', summary: '', checks: [] })
  const waiting = await database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT ${quotaLock(key.projectId)}`
    const sent = send('More.')
    const isWaiting = () =>
      database.prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
    await expect.poll(async () => (await isWaiting()).length).toBeGreaterThan(0)
    // The lock that the new job's foreign key acquires.
    await tx.$queryRaw`SELECT 1 FROM jobs WHERE id = ${run.jobId} FOR KEY SHARE NOWAIT`
    return { sent }
  })
  expect((await waiting.sent).status).toBe('active')
})
