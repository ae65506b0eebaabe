import { DEFAULT_PROJECT_POLICY } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { listDashboardJobs } from '../jobs/list-dashboard-jobs.ts'
import { listJobs } from '../jobs/list-jobs.ts'
import { refuseUnwanted } from '../jobs/refuse-unwanted.ts'
import { toAllowedBranch } from '../jobs/to-allowed-branch.ts'
import { countWork } from '../ops/count-work.ts'
import { listFailures } from '../ops/list-failures.ts'
import { listOwnProjects } from '../projects/list-own-projects.ts'
import { finishRun } from '../runs/finish-run.ts'
import { sweepRuns } from '../runs/sweep-runs.ts'
import { claim, createTestRun, silent } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'

/** Tables whose size grows with the number of jobs. */
const GROWING = ['jobs', 'runs', 'job_messages', 'job_events', 'idempotency_keys']
const PROJECTS = 50
const JOBS = 6_000

test('every foreign key has an index that starts with its columns', async () => {
  const { pool } = await openOwnTestDatabase(2)
  const { rows } = await pool.query(`
    SELECT conrelid::regclass || ' ' || conname AS key FROM pg_constraint
    WHERE contype = 'f' AND NOT EXISTS (
      SELECT FROM pg_index WHERE indrelid = conrelid AND indpred IS NULL
        AND (string_to_array(indkey::text, ' ')::smallint[])[1:cardinality(conkey)] = conkey
    )`)
  expect(rows).toEqual([])
})

test('requests and sweeps read the growing tables only through indexes', async () => {
  // Statistics are counted per connection until they are flushed.
  const database = await openOwnTestDatabase(1)
  const { pool, prisma } = database
  const run = await createTestRun(database)
  await finishRun(database, (await claim(database, run.runId))!, { kind: 'no_changes', summary: '', checks: [] })
  const clones = `generate_series(1, ${JOBS}) n`
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`
  const project = `'project_id', 'prj_' || (n % ${PROJECTS} + 1)`
  const time = "now() - n * interval '10 minutes'"
  for (const statement of [
    // Disables triggers and foreign keys.
    'SET session_replication_role = replica',
    `INSERT INTO projects SELECT (jsonb_populate_record(p, jsonb_build_object('id', 'prj_' || n))).*
      FROM projects p, generate_series(1, ${PROJECTS}) n WHERE p.id = '${run.projectId}'`,
    `INSERT INTO jobs SELECT filled.* FROM jobs j, ${clones}, jsonb_populate_record(j, jsonb_build_object(
        'id', ${id('job')}, ${project}, 'created_at', ${time}, 'finished_at', ${time})) filled
      WHERE j.id = '${run.jobId}'`,
    `INSERT INTO runs SELECT filled.* FROM runs r, ${clones}, jsonb_populate_record(r, jsonb_build_object(
        'id', ${id('run')}, 'job_id', ${id('job')}, ${project})) filled
      WHERE r.id = '${run.runId}'`,
    `INSERT INTO job_events (job_id, seq, type) SELECT ${id('job')}, 1, 'job.created' FROM ${clones}`,
    `INSERT INTO job_messages (id, job_id, project_id, prompt, run_id, taken_at)
      SELECT ${id('msg')}, ${id('job')}, 'prj_1', 'x', ${id('run')}, now() FROM ${clones}`,
    `INSERT INTO idempotency_keys (project_id, key, request_hash, response)
      SELECT 'prj_1', n::text, decode(repeat('00', 32), 'hex'), '{}' FROM ${clones}`,
    'SET session_replication_role = DEFAULT',
    'ANALYZE',
  ]) {
    await pool.query(statement)
  }
  const countScans = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await pool.query<{ relname: string; seq_scan: string }>(
      'SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname = ANY($1) ORDER BY relname',
      [GROWING],
    )
    return rows.map(({ relname, seq_scan }) => `${relname} ${seq_scan}`)
  }
  const queue = { wakeWorker: async () => {}, countWakeUps: async () => 0 }
  const [job] = await prisma.job.findMany({ where: { projectId: 'prj_1' }, take: 1, skip: 50, orderBy: { id: 'asc' } })
  const list = { projectId: 'prj_1', limit: 20 }
  const first = await listJobs({ prisma }, list)
  const paths: Record<string, () => Promise<unknown>> = {
    'first page': () => listJobs({ prisma }, list),
    'next page': () => listJobs({ prisma }, { ...list, cursor: first.nextCursor ?? undefined }),
    'page of a status': () => listJobs({ prisma }, { ...list, status: 'failed' }),
    'dashboard page of an outcome': () => listDashboardJobs({ prisma }, { ...list, status: ['no_changes'] }),
    'projects of a user': () => listOwnProjects({ prisma }, { userId: 'usr_none', isAdmin: false }),
    'projects of an admin': () => listOwnProjects({ prisma }, { userId: 'usr_none', isAdmin: true }),
    'creation with a limit on pull requests': () =>
      refuseUnwanted(prisma, {
        ...{ projectId: 'prj_1', prompt: 'x', baseBranch: null, dedupe: true, maxOpenPullRequests: 5 },
      }),
    'branch name of a new job': () =>
      toAllowedBranch(prisma, { projectId: 'prj_1', branch: 'weekly', policy: DEFAULT_PROJECT_POLICY }),
    'page with an offset': () => listJobs({ prisma }, { ...list, skip: 30 }),
    'operations page': () => Promise.all([countWork({ prisma }), listFailures({ prisma })]),
    sweep: () =>
      sweepRuns({ prisma, queue, log: silent, projectConcurrency: 2, maxAttempts: 3 } as unknown as Parameters<
        typeof sweepRuns
      >[0]),
    'deletion of a job': () => prisma.job.delete({ where: { id: job?.id ?? '' } }),
  }
  const scanned: string[] = []
  for (const [path, call] of Object.entries(paths)) {
    const before = await countScans()
    await call()
    const after = await countScans()
    scanned.push(...after.filter((line) => !before.includes(line)).map((line) => `${path}: ${line}`))
  }
  expect(scanned).toEqual([])
})
