import { openLog } from '@corrigenda/core/runtime'
import { listWorkers } from '@corrigenda/core/workers'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../packages/core/src/test-support/open-test-database.ts'
import { startHeartbeat, toModelKind } from './start-heartbeat.ts'

const log = openLog({ level: 'silent', secrets: [] })
const buildWorker = (id: string) => ({
  id,
  host: 'machine-1',
  pid: 7,
  version: '1.2.3',
  slots: 4,
  queue: 'redis' as const,
  modelKind: 'other' as const,
  modelBaseUrl: 'https://user:secret@models.example:8443/v1/?key=secret#secret',
  models: ['model-a'],
})

test('lists a worker with its number of runs while it is online and removes it on shutdown', async () => {
  const { prisma } = openTestDatabase()
  const id = `hb-${Math.random()}`
  const find = async () => (await listWorkers({ prisma })).find((worker) => worker.id === id)
  let busy = 1
  const heartbeat = startHeartbeat({ prisma, log, everyMs: 20 }, buildWorker(id), () => busy)
  await expect.poll(find).toMatchObject({
    id,
    host: 'machine-1',
    pid: 7,
    version: '1.2.3',
    slots: 4,
    busy: 1,
    alive: true,
    queue: 'redis',
    model: { kind: 'other', baseUrl: 'https://models.example:8443/v1', names: ['model-a'] },
  })
  const first = await find()
  busy = 3
  await expect.poll(find).toMatchObject({ busy: 3, startedAt: first?.startedAt })
  expect((await find())?.seenAt).not.toBe(first?.seenAt)
  await heartbeat.stop()
  expect(await find()).toBeUndefined()
})

test('marks a worker without heartbeats offline after 12 s and deletes it after a day', async () => {
  const { prisma } = openTestDatabase()
  const id = `hb-${Math.random()}`
  const other = `hb-${Math.random()}`
  const find = async () => (await listWorkers({ prisma })).find((worker) => worker.id === id)
  const { stop } = startHeartbeat({ prisma, log, everyMs: 60_000 }, buildWorker(id), () => 0)
  await expect.poll(find).toMatchObject({ alive: true })
  await prisma.$executeRaw`UPDATE workers SET seen_at = now() - interval '10 s' WHERE id = ${id}`
  expect(await find()).toMatchObject({ alive: true })
  await prisma.$executeRaw`UPDATE workers SET seen_at = now() - interval '13 s' WHERE id = ${id}`
  expect(await find()).toMatchObject({ alive: false })
  await prisma.$executeRaw`UPDATE workers SET seen_at = now() - interval '25 hours' WHERE id = ${id}`
  expect(await find()).toBeUndefined()
  const { stop: stopOther } = startHeartbeat({ prisma, log, everyMs: 60_000 }, buildWorker(other), () => 0)
  await expect.poll(() => prisma.worker.count({ where: { id } })).toBe(0)
  await stopOther()
  await stop()
})

test('does not store a model URL that contains a password', async () => {
  const { prisma } = openTestDatabase()
  const { modelKind, modelBaseUrl, ...rest } = buildWorker('hb-bad')
  await expect(prisma.worker.create({ data: { ...rest, busy: 0, modelKind, modelBaseUrl } })).rejects.toThrow(
    /workers_model_base_url/,
  )
})

test("reports the kind anthropic only for Anthropic's URL", () => {
  expect(
    ['https://api.anthropic.com', 'https://api.anthropic.com.example', 'http://127.0.0.1:1'].map(toModelKind),
  ).toEqual(['anthropic', 'other', 'other'])
})
