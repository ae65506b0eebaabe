import { expect, onTestFinished, test } from 'vitest'
import { findRole } from '../accounts/members.ts'
import { claimConnectionCheck } from '../connection-checks/connection-checks.ts'
import type { Database } from '../db/open-database.ts'
import { claimDeployment } from '../deployments/claim-deployment.ts'
import { createJob } from '../jobs/create-job.ts'
import { createKey } from '../keys/create-key.ts'
import { findPrincipal } from '../keys/find-principal.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { listProjects } from '../projects/list-projects.ts'
import { claimPullRequestPoll } from '../pull-requests/pull-request-polls.ts'
import { assertWritable } from '../runs/fence.ts'
import { findInterrupted } from '../runs/find-interrupted.ts'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { listDueRuns, sweepRuns } from '../runs/sweep-runs.ts'
import { CLAIM_RULES, claim, createTestRun, endLease, freeze, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { claimDeliveries } from '../webhooks/claim-deliveries.ts'
import { REMOVED_JOBS, removeDeletedProjects } from './remove-deleted-projects.ts'

const KEY = Buffer.alloc(32, 7)

async function endJob(database: Database, runId: string, number: number) {
  const held = (await claim(database, runId))!
  await freeze(database, held)
  await recordPush(database, held, { branch: 'b', commit: 'c' })
  const url = `https://github.com/acme/docs/pull/${number}`
  const pullRequest = { number, url, branch: 'b', state: 'open', draft: false } as const
  await finishRun(database, held, { kind: 'changed', pullRequest })
}

async function openDeletion() {
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  const remove = () => deleteProject(database, { projectId, name: 'test' })
  return { database, projectId, remove }
}

test('a deleted project is absent at once: its keys, readers and new rows are refused', async () => {
  const { database, projectId, remove } = await openDeletion()
  const { prisma } = database
  const deps = { ...database, keyPepper: KEY }
  const { key } = await createKey(deps, {
    projectId,
    name: 'k',
    scopes: ['jobs:read'],
    allowedCidrs: [],
    expiresInDays: null,
  })
  await prisma.user.create({ data: { id: 'usr_1', name: 'Ada', email: 'ada@example.com' } })
  await prisma.membership.create({ data: { projectId, userId: 'usr_1', role: 'owner' } })
  const roleOf = (isAdmin: boolean) => findRole(database, { userId: 'usr_1', isAdmin, projectId })
  expect([(await findPrincipal(deps, key))?.projectId, await roleOf(true), await roleOf(false)]).toEqual([
    projectId,
    'owner',
    'owner',
  ])
  await remove()
  expect([
    await findPrincipal(deps, key),
    await roleOf(true),
    await roleOf(false),
    await listProjects(database),
  ]).toEqual([null, null, null, []])
  const quota = { limit: 10, windowSeconds: 3600 }
  const create = { ...database, queue: { wakeWorker: async () => {} }, log: silent, defaultModel: 'm', quota }
  const request = { prompt: 'x' }
  await expect(createJob(create, { projectId, request, idempotencyKey: null })).rejects.toMatchObject({
    code: 'not_found',
  })
  // A request that checked the project before its deletion.
  await expect(prisma.membership.create({ data: { projectId, userId: 'usr_1', role: 'owner' } })).rejects.toMatchObject(
    { code: 'P2003' },
  )
  await expect(remove()).rejects.toMatchObject({ code: 'not_found' })
  await createTestProject(database)
  expect(await listProjects(database)).toMatchObject([{ name: 'test' }])
})

test('the workers stop and claim nothing of a deleted project', async () => {
  const { database, projectId, remove } = await openDeletion()
  const { prisma } = database
  const [waiting, held, ended, dead] = await Promise.all([1, 2, 3, 4].map(() => createTestRun(database, projectId)))
  const claimed = (await claim(database, held!.runId))!
  await endJob(database, ended!.runId, 1)
  await claim(database, dead!.runId)
  await endLease(database, dead!.runId)
  await prisma.pullRequestWatch.updateMany({ data: { nextPollAt: new Date(0) } })
  await prisma.$executeRaw`
    INSERT INTO deployments (id, project_id, source) VALUES ('dep_1', ${projectId}, 'test')`
  await prisma.$executeRaw`INSERT INTO repository_tests (id, project_id) VALUES ('rt_1', ${projectId})`
  await prisma.webhookEndpoint.create({
    data: { id: 'whe_1', projectId, url: 'https://example.com', sealedSecret: Buffer.alloc(64, 1) },
  })
  await prisma.webhookEvent.create({ data: { id: 'evt_1', projectId, type: 'job.completed', payload: '{}' } })
  await prisma.webhookDelivery.create({ data: { id: 'whd_1', endpointId: 'whe_1', eventId: 'evt_1' } })
  await assertWritable(database, claimed)
  await remove()

  await expect(assertWritable(database, claimed)).rejects.toThrow(/lease/i)
  expect(await findInterrupted(database, [claimed])).toEqual([{ runId: held!.runId, why: 'ended' }])
  expect(await claim(database, waiting!.runId)).toBe(null)
  const rules = { ...CLAIM_RULES, ...database, maxAttempts: 1 }
  expect(await listDueRuns({ ...rules, maxAttempts: 9 })).toEqual([])
  const queue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }
  expect(await sweepRuns({ ...rules, queue, log: silent })).toEqual({ woken: 0, ended: 0 })
  const lease = { owner: 'test', leaseSeconds: 20 }
  expect(await claimPullRequestPoll(database)).toBe(null)
  expect(await prisma.pullRequestWatch.findMany()).toMatchObject([{ nextPollAt: null }])
  expect(await claimDeployment({ ...database, ...lease, deployTargetKey: KEY }, lease)).toBe(null)
  expect(await claimConnectionCheck({ ...database, deployTargetKey: KEY }, lease)).toBe(null)
  const limits = { endpointConcurrency: 5, projectConcurrency: 5, maxTries: 5 }
  const deliver = { ...database, ...limits, webhookKey: KEY, leaseSeconds: 20 }
  expect(await claimDeliveries(deliver, { owner: 'test', limit: 5 })).toEqual([])
})

test('removes every row of a deleted project in limited statements and no row of another project', async () => {
  const { database, projectId, remove } = await openDeletion()
  const { prisma, pool } = database
  const tables = ['jobs', 'runs', 'job_events', 'transcript_rows', 'run_files', 'job_messages', 'pull_request_watches']
  const other = await createTestRun(database)
  const own = await createTestRun(database, projectId)
  await pool.query(
    `INSERT INTO jobs SELECT copy.* FROM jobs, generate_series(1, 120) n,
      jsonb_populate_record(jobs, jsonb_build_object('id', 'job_' || n)) copy WHERE jobs.id = $1`,
    [own.jobId],
  )
  for (const [n, { runId, jobId }] of [other, own].entries()) {
    await endJob(database, runId, n + 1)
    for (const statement of [
      `INSERT INTO transcript_rows (run_id, seq, conversation, role, content)
        SELECT '${runId}', n, 1, 'user', '[]' FROM generate_series(1, 1200) n`,
      `INSERT INTO run_files (run_id, path, mode) SELECT '${runId}', n::text, '100644' FROM generate_series(1, 700) n`,
      `INSERT INTO job_events (job_id, seq, type) SELECT '${jobId}', n, 'phase.changed' FROM generate_series(1000, 2100) n`,
    ]) {
      await pool.query(statement)
    }
  }
  await prisma.deployment.create({ data: { id: 'dep_1', projectId, jobId: own.jobId, trigger: 'test' } })
  await prisma.idempotencyKey.create({
    data: { projectId, key: 'k', requestHash: Buffer.alloc(32), response: '{}' },
  })
  await pool.query('CREATE TABLE removals (name text, n int, depth int)')
  await pool.query(`CREATE FUNCTION note_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO removals SELECT TG_TABLE_NAME, count(*), pg_trigger_depth() FROM gone; RETURN NULL; END $$`)
  for (const table of tables) {
    await pool.query(`CREATE TRIGGER note_removal AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_removal()`)
  }
  const count = async () => {
    const counts: Record<string, number> = {}
    for (const table of [...tables, 'projects', 'deployments', 'idempotency_keys']) {
      counts[table] = (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n ?? 0
    }
    return counts
  }
  expect(await removeDeletedProjects(database)).toBe(false)
  expect((await count()).projects).toBe(2)
  await remove()
  while (await removeDeletedProjects(database));
  const { job_events, ...counts } = await count()
  expect(counts).toEqual({
    jobs: 1,
    runs: 1,
    transcript_rows: 1200,
    run_files: 700,
    job_messages: 0,
    pull_request_watches: 1,
    projects: 1,
    deployments: 0,
    idempotency_keys: 0,
  })
  expect(job_events).toBeGreaterThan(1100)
  expect(await prisma.job.findMany({ select: { id: true } })).toEqual([{ id: other.jobId }])
  const { rows } = await pool.query<{ name: string; n: number; depth: number }>('SELECT * FROM removals WHERE n > 0')
  expect(Math.max(...rows.map(({ n }) => n))).toBe(500)
  expect(Math.max(...rows.filter(({ name }) => name === 'jobs').map(({ n }) => n))).toBe(REMOVED_JOBS)
  // A cascade removes all children of a row in one statement.
  expect(rows.filter(({ depth }) => depth > 1)).toEqual([])
})

test('skips rows that a suspended process has locked', async () => {
  const { database, projectId, remove } = await openDeletion()
  const { jobId } = await createTestRun(database, projectId)
  await remove()
  const client = await database.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [jobId])
  while (await removeDeletedProjects(database));
  expect(await database.prisma.job.findMany({ select: { id: true } })).toEqual([{ id: jobId }])
  await client.query('ROLLBACK')
  while (await removeDeletedProjects(database));
  expect(await database.prisma.project.count()).toBe(0)
})
