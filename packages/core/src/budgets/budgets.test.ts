import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { createJob } from '../jobs/create-job.ts'
import { retryJob } from '../jobs/retry-job.ts'
import { sendMessage } from '../jobs/send-message.ts'
import type { Fence } from '../runs/fence.ts'
import { finishRun } from '../runs/finish-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { claim, createTestRun, endLease, silent } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { createWebhook } from '../webhooks/manage-webhooks.ts'
import { describeSpentBudget } from './describe-spent-budget.ts'
import { readInstanceSpend, readMonthlySpend } from './read-monthly-spend.ts'

const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, turns: 1, costUsd: null }

async function open(budgetUsd: number | null, database: Database = openTestDatabase(10)) {
  const { prisma, pool } = database
  const first = await createTestRun(database)
  const { projectId } = first
  await prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd: budgetUsd } })
  const start = async ({ runId }: { runId: string }) => {
    const held = await claim(database, runId)
    if (held === null) throw new Error('the run was not claimed')
    return held
  }
  /** Saves a turn after which the run's cost is `costUsd`. */
  const save = async (fence: Fence, costUsd: number, instanceBudgetUsd: number | null = null) => {
    const turn = { rows: [], files: [], usage: USAGE, events: [], spentUsd: costUsd, instanceBudgetUsd }
    return (await saveTurn(database, fence, turn)).warning
  }
  const read = async () => (await readMonthlySpend(prisma, { projectId, instanceBudgetUsd: null }))?.project
  const describe = (instanceBudgetUsd: number | null = null) =>
    describeSpentBudget(prisma, { projectId, instanceBudgetUsd })
  const deps = { prisma, pool, queue: { wakeWorker: async () => {} }, log: silent, defaultModel: 'm-1' }
  const limits = { quota: { limit: 100, windowSeconds: 60 }, messageQuota: { limit: 100, windowSeconds: 60 } }
  const create = (monthlyBudgetUsd: number | null = null) =>
    createJob(
      { audit: COMMAND_LINE, ...deps, ...limits, monthlyBudgetUsd },
      { projectId, request: { prompt: 'More.' }, idempotencyKey: null },
    )
  const toLastMonth = async () => {
    await prisma.$executeRaw`UPDATE project_spend SET month = month - interval '1 month' WHERE project_id = ${projectId}`
  }
  return { database, prisma, projectId, first, start, save, read, describe, create, toLastMonth, deps, limits }
}

test('two runs that race for the last dollar overspend by at most one turn each', async () => {
  const { database, projectId, first, start, save, read, describe } = await open(1)
  const fences = [await start(first), await start(await createTestRun(database, projectId))]
  const work = async (fence: Fence) => {
    let turns = 0
    while (turns < 20 && (await describe()) === null) {
      turns += 1
      await save(fence, turns * 0.3)
    }
    return turns
  }
  const turns = await Promise.all(fences.map(work))
  const spent = (await read())?.spentUsd ?? 0
  expect(spent).toBeCloseTo((turns[0]! + turns[1]!) * 0.3, 6)
  expect(spent).toBeGreaterThanOrEqual(1)
  expect(spent).toBeLessThanOrEqual(1 + 2 * 0.3)
  expect(await describe()).toMatch(
    /^This project's monthly budget of 1 US dollars is used up. The month ends on \d{4}-\d\d-01 \(00:00 UTC\)./,
  )
})

test('counts concurrent turns exactly, and a turn that is saved again only once', async () => {
  const { database, projectId, first, start, save, read } = await open(null)
  const others = await Promise.all([1, 2, 3].map(() => createTestRun(database, projectId)))
  const fences = await Promise.all([first, ...others].map(start))
  await Promise.all(
    fences.map(async (fence) => {
      for (const costUsd of [0.1, 0.25, 0.25, 0.7, 0.5]) await save(fence, costUsd)
    }),
  )
  expect((await read())?.spentUsd).toBeCloseTo(4 * 0.7, 6)
  // Another worker takes over and saves the same turn and a new one.
  await endLease(database, first.runId)
  const next = await start(first)
  await expect(save(fences[0]!, 9)).rejects.toThrow('lost the lease')
  await save(next, 0.7)
  await save(next, 0.8)
  expect((await read())?.spentUsd).toBeCloseTo(4 * 0.7 + 0.1, 6)
})

test('returns the spend that includes the turn, and warns about a new budget with the second turn', async () => {
  const { database, prisma, projectId, first, start } = await open(null)
  const fence = await start(first)
  const save = (turn: { spentUsd?: number; hasBudget?: boolean }) =>
    saveTurn(database, fence, { rows: [], files: [], usage: USAGE, events: [], instanceBudgetUsd: 1_000_000, ...turn })
  expect((await save({})).spend.project).toMatchObject({ spentUsd: 0, budgetUsd: null })
  const { spend } = await save({ spentUsd: 0.5, hasBudget: false })
  expect(spend.project).toMatchObject({ spentUsd: 0.5, budgetUsd: null })
  expect(spend.instance.spentUsd).toBeGreaterThanOrEqual(0.5)
  expect((await save({ spentUsd: 0.5, hasBudget: false })).spend.project.spentUsd).toBe(0.5)

  await prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd: 1 } })
  const countWarnings = () => prisma.projectSpend.count({ where: { projectId, warnedAt: { not: null } } })
  expect((await save({ spentUsd: 0.9, hasBudget: false })).spend.project).toMatchObject({ spentUsd: 0.9, budgetUsd: 1 })
  expect(await countWarnings()).toBe(0)
  await save({ spentUsd: 0.95, hasBudget: true })
  expect(await countWarnings()).toBe(1)
})

test('publishes one warning per month at 80% of the budget', async () => {
  const { prisma, projectId, first, start, save, toLastMonth, database } = await open(10)
  const hook = { url: 'https://example.com/hook', description: '', events: [] }
  await createWebhook(
    { audit: COMMAND_LINE, prisma, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] },
    { projectId, ...hook },
  )
  const listWarnings = async () => {
    const events = await prisma.webhookEvent.findMany({ where: { projectId, type: 'budget.warning' } })
    return events.map(({ payload }) => JSON.parse(payload).data.budget)
  }
  const [one, two] = [await start(first), await start(await createTestRun(database, projectId))]
  await save(one, 7.99)
  expect(await listWarnings()).toEqual([])
  await Promise.all([save(one, 8.5), save(two, 0.5)])
  await save(one, 11)
  const { month, endsAt } = (await readMonthlySpend(prisma, { projectId, instanceBudgetUsd: null }))!.project
  const warning = { projectId, month, endsAt, budgetUsd: 10, spentUsd: expect.any(Number) }
  expect(await listWarnings()).toEqual([warning])
  await toLastMonth()
  await save(one, 12)
  expect(await listWarnings()).toHaveLength(1)
  await save(one, 20)
  expect(await listWarnings()).toHaveLength(2)
})

test('refuses jobs, retries and messages until the month ends or the budget is raised', async () => {
  const { database, prisma, projectId, first, start, save, create, toLastMonth, deps, limits } = await open(2)
  const fence = await start(first)
  await save(fence, 2)
  await finishRun(database, fence, { kind: 'no_changes', summary: 'Done.', checks: [] })
  const refused = { code: 'monthly_budget_exceeded', message: expect.stringMatching(/The month ends on \d{4}-\d\d-01/) }
  const key = { projectId, id: first.jobId, idempotencyKey: null }
  const send = () => sendMessage({ audit: COMMAND_LINE, ...deps, ...limits }, { ...key, request: { prompt: 'Again.' } })
  await expect(create()).rejects.toMatchObject(refused)
  await expect(retryJob({ audit: COMMAND_LINE, ...deps, ...limits }, key)).rejects.toMatchObject(refused)
  await expect(send()).rejects.toMatchObject(refused)
  await prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd: 2.01 } })
  await create()
  await prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd: 2 } })
  await expect(create()).rejects.toMatchObject(refused)
  await toLastMonth()
  await create()
  await send()
})

test("applies the instance's budget to all projects, and warns about it once per month", async () => {
  const { database, prisma, first, start, save, create, describe } = await open(null, await openOwnTestDatabase())
  const other = await createTestRun(database)
  const [one, two] = [await start(first), await start(other)]
  expect(await save(one, 4, 10)).toBeNull()
  expect(await save(two, 4, 10)).toMatchObject({ spentUsd: 8, budgetUsd: 10 })
  expect(await save(two, 6, 10)).toBeNull()
  await expect(create(10)).rejects.toMatchObject({ code: 'monthly_budget_exceeded' })
  expect(await describe(10)).toMatch(/^The monthly budget of this service is used up/)
  expect(await describe(10.5)).toBeNull()
  // A deleted project still counts.
  await prisma.project.delete({ where: { id: other.projectId } })
  expect(await readInstanceSpend(prisma, 10)).toMatchObject({ spentUsd: 10, budgetUsd: 10 })
  await prisma.$executeRaw`UPDATE instance_spend SET month = month - interval '1 month'`
  expect(await describe(10)).toBeNull()
  expect(await save(one, 13, 10)).toMatchObject({ spentUsd: 9 })
})
