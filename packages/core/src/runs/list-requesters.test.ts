import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { sendMessage } from '../jobs/send-message.ts'
import { claim, createTestRun, silent } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { listRequesters } from './list-requesters.ts'
import { restartRun } from './release-run.ts'
import { saveTurn } from './save-turn.ts'
import { listPendingMessages } from './start-follow-up.ts'

async function open() {
  const database = openTestDatabase()
  const { prisma } = database
  const run = await createTestRun(database)
  const held = await claim(database, run.runId)
  if (!held) throw new Error('The run was not claimed.')
  const makeUser = async (name: string, github: { id: string; login: string | null } | null = null) => {
    const id = `usr_${randomUUID()}`
    await prisma.user.create({ data: { id, name, email: `${id}@example.com` } })
    if (github) {
      const account = { userId: id, providerId: 'github', accountId: github.id, login: github.login }
      await prisma.account.create({ data: { id: `acc_${id}`, ...account } })
    }
    return id
  }
  const send = (createdBy: string | null) =>
    sendMessage(
      {
        audit: COMMAND_LINE,
        prisma,
        queue: { wakeWorker: async () => {} },
        log: silent,
        messageQuota: { limit: 100, windowSeconds: 3600 },
      },
      { projectId: run.projectId, id: run.jobId, request: { prompt: 'x' }, idempotencyKey: null, createdBy },
    )
  const deliver = async () => {
    const delivers = (await listPendingMessages(prisma, run.jobId)).map(({ id }) => id)
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 1 }
    await saveTurn(database, held, { rows: [], files: [], usage, delivers, events: [] })
  }
  const names = async (isFirstCommit: boolean, of = held) =>
    (await listRequesters(database, { run: of, isFirstCommit })).map(({ name }) => name)
  const setCreator = (createdBy: string) => prisma.job.update({ where: { id: run.jobId }, data: { createdBy } })
  return { database, prisma, run, held, makeUser, send, deliver, names, setCreator }
}

test('lists the creator of the job and the senders of delivered messages once, in order', async () => {
  const { makeUser, send, deliver, names, setCreator } = await open()
  const [ada, bob, eve] = [await makeUser('Ada'), await makeUser('Bob'), await makeUser('Eve')]
  await setCreator(ada)
  expect(await names(true)).toEqual(['Ada'])
  expect(await names(false)).toEqual([])
  for (const sender of [bob, ada, null, 'abcdefghijkl', bob]) await send(sender)
  expect(await names(true)).toEqual(['Ada'])
  await deliver()
  await send(eve)
  expect(await names(true)).toEqual(['Ada', 'Bob'])
  expect(await names(false)).toEqual(['Bob', 'Ada'])
})

test('keeps the senders when a follow-up is restarted, and lists no other users', async () => {
  const { database, prisma, run, held, makeUser, send, deliver, names, setCreator } = await open()
  await setCreator(await makeUser('Ada'))
  await send(await makeUser('Bob'))
  await deliver()
  await restartRun(database, held)
  const next = await prisma.run.findFirstOrThrow({ where: { jobId: run.jobId, active: true } })
  expect(await names(false, { ...held, runId: next.id })).toEqual(['Bob'])
  expect(await names(false)).toEqual([])
})

test('omits deleted users and the demo account, and returns the GitHub account if its login is known', async () => {
  const { database, prisma, held, makeUser, setCreator } = await open()
  const read = () => listRequesters(database, { run: held, isFirstCommit: true })
  const accountId = String(Date.now())
  const ada = await makeUser('Ada', { id: accountId, login: null })
  await setCreator(ada)
  expect(await read()).toEqual([{ name: 'Ada', email: `${ada}@example.com`, github: null }])
  await prisma.account.updateMany({ where: { userId: ada }, data: { login: 'ada' } })
  expect(await read()).toMatchObject([{ github: { id: accountId, login: 'ada' } }])
  await prisma.user.delete({ where: { id: ada } })
  expect(await read()).toEqual([])
  const demo = await prisma.user.findFirst({ where: { isDemo: true } })
  const id = demo?.id ?? `usr_${randomUUID()}`
  if (!demo) await prisma.user.create({ data: { id, name: 'Demo', email: `${id}@example.com`, isDemo: true } })
  await setCreator(id)
  expect(await read()).toEqual([])
})
