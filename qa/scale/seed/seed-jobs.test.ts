import { openNewTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { getChanges, listEvents, listJobs, listTranscript } from '@corrigenda/core/jobs'
import { createProject } from '@corrigenda/core/projects'
import { expect, inject, test } from 'vitest'
import { COMMON_WORD } from './build-paragraphs.ts'
import { seedJobs } from './seed-jobs.ts'

const COUNT = 400
/** Tables that `seedJobs` fills. */
const TABLES = [
  'audit_events',
  'deployments',
  'idempotency_keys',
  'job_changes',
  'job_events',
  'job_messages',
  'jobs',
  'pull_request_watches',
  'run_files',
  'runs',
  'source_reads',
  'transcript_rows',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_events',
]

test('seeded jobs are valid, and all tables that belong to jobs are filled', async () => {
  const database = await openNewTestDatabase(2)
  const { prisma, pool } = database
  const { rows: names } = await pool.query<{ name: string }>('SELECT current_database() AS name')
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${names[0]?.name}`)
  const input = { name: 'p', repository: 'https://github.com/acme/docs', baseBranch: null }
  const { id: projectId } = await createProject({ ...database, allowedRepositoryHosts: ['github.com'] }, input)
  await prisma.webhookEndpoint.create({
    data: { id: 'whe_1', projectId, url: 'https://example.com', sealedSecret: Buffer.alloc(64, 1) },
  })
  await seedJobs(url, {
    projectIds: [projectId],
    from: 1,
    count: COUNT,
    oldestDays: 100,
    newestDays: 0,
    active: 2,
    transcriptKb: 4,
  })
  // Young enough for all retention periods.
  await seedJobs(url, {
    projectIds: [projectId],
    from: 1_000,
    count: 50,
    oldestDays: 0.5,
    newestDays: 0,
    transcriptKb: 4,
  })

  await pool.query('ANALYZE')
  const { rows: filled } = await pool.query<{ relname: string }>(
    'SELECT relname FROM pg_class WHERE relname = ANY ($1) AND reltuples > 0 ORDER BY relname',
    [TABLES],
  )
  expect(filled.map(({ relname }) => relname)).toEqual(TABLES)
  expect(await prisma.job.count({ where: { status: 'active' } })).toBe(2)
  const { rows: keys } = await pool.query<{ child: string; column: string; parent: string; target: string }>(`
    SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent, c.attname AS column, p.attname AS target
    FROM pg_constraint JOIN pg_attribute c ON c.attrelid = conrelid AND c.attnum = conkey[1]
    JOIN pg_attribute p ON p.attrelid = confrelid AND p.attnum = confkey[1] WHERE contype = 'f'`)
  for (const { child, column, parent, target } of keys) {
    const { rows } = await pool.query(
      `SELECT FROM ${child} c WHERE ${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${parent} p WHERE p.${target} = c.${column})`,
    )
    expect([child, column, rows.length]).toEqual([child, column, 0])
  }
  const { jobs } = await listJobs(database, { projectId, limit: 100, q: COMMON_WORD })
  expect(jobs).toHaveLength(100)
  const [job] = await prisma.job.findMany({ where: { outcome: 'changed' }, take: 1 })
  const at = { projectId, id: job?.id ?? '' }
  expect(await listEvents({ prisma }, { ...at, after: 0, limit: 100 })).toHaveLength(job?.lastEventSeq ?? 0)
  expect((await getChanges({ prisma }, at)).files).toHaveLength(1)
  const { rows } = await listTranscript({ prisma }, { ...at, after: '0.-1', limit: 50 })
  expect(JSON.stringify(rows).length).toBeGreaterThan(4_000)
})
