import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { archiveJob } from '../jobs/archive-job.ts'
import { sendMessage } from '../jobs/send-message.ts'
import { finishRun } from '../runs/finish-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { claim, createTestRun, silent } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase, type TestDatabase } from '../test-support/open-test-database.ts'
import { readCounts } from './test-support/read-counts.ts'

const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 3, cacheWriteTokens: 5, costUsd: 0.25, turns: 2 }

/** Works on a run for two turns, and ends it. */
async function work(database: TestDatabase, runId: string): Promise<void> {
  const held = await claim(database, runId)
  if (held === null) throw new Error('The run cannot be claimed.')
  for (const usage of [{ ...USAGE, inputTokens: 60, turns: 1, costUsd: 0.1 }, USAGE]) {
    await saveTurn(database, held, { rows: [], files: [], usage, events: [], spentUsd: usage.costUsd })
  }
  await finishRun(database, held, { kind: 'no_changes', summary: '', checks: [] })
}

test('a job that is archived, and ended rows that are written again, are not counted again', async () => {
  const database = await openOwnTestDatabase()
  const { prisma, pool } = database
  const { runId, jobId, projectId } = await createTestRun(database)
  await work(database, runId)
  await prisma.webhookEndpoint.create({
    data: { id: 'whe_1', projectId, url: 'https://example.com', sealedSecret: Buffer.alloc(64, 1) },
  })
  await prisma.webhookEvent.create({ data: { id: 'evt_1', projectId, type: 'job.completed', payload: '{}' } })
  await prisma.webhookDelivery.create({ data: { id: 'whd_1', endpointId: 'whe_1', eventId: 'evt_1' } })
  await pool.query("UPDATE webhook_deliveries SET status = 'delivered', ended_at = now()")
  await pool.query("INSERT INTO deployments (id, project_id, source) VALUES ('dep_1', $1, 'test')", [projectId])
  await pool.query("UPDATE deployments SET status = 'in_progress', started_at = now()")
  await pool.query("UPDATE deployments SET status = 'success', ended_at = now()")
  const counts = await readCounts(database)
  expect(counts).toMatchObject({ 'jobs_ended no_changes': 1, 'deliveries delivered': 1, 'deployments success': 1 })
  await archiveJob({ prisma, audit: COMMAND_LINE }, { projectId, id: jobId })
  for (const [table, column] of [
    ...[
      ['jobs', 'status'],
      ['jobs', 'pr_url'],
      ['jobs', 'pr_state'],
      ['runs', 'active'],
    ],
    ...[
      ['runs', 'counted_cost_usd'],
      ['webhook_deliveries', 'status'],
      ['deployments', 'status'],
    ],
  ]) {
    await pool.query(`UPDATE ${table} SET ${column} = ${column}`)
  }
  expect(await readCounts(database)).toEqual(counts)
})

test('the turns, tokens and costs of a follow-up are counted once', async () => {
  const database = await openOwnTestDatabase()
  const { runId, jobId, projectId } = await createTestRun(database)
  await work(database, runId)
  const queue = { wakeWorker: async () => {} }
  const deps = { ...database, audit: COMMAND_LINE, log: silent, queue, messageQuota: { limit: 9, windowSeconds: 60 } }
  await sendMessage(deps, { projectId, id: jobId, request: { prompt: 'More.' }, idempotencyKey: null })
  const followUp = await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })
  await work(database, followUp.id)
  expect(await readCounts(database)).toMatchObject({
    ...{ jobs_created: 1, 'jobs_ended no_changes': 2, 'runs create': 1, attempts: 2, 'turns m-1': 4, 'cost m-1': 0.5 },
    ...{ 'tokens m-1 input': 200, 'tokens m-1 output': 40, 'tokens m-1 cache_read': 6, 'tokens m-1 cache_write': 10 },
  })
})
