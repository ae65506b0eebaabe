import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { removeJobs } from '../job-record/remove-jobs.ts'
import { silent } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { createJob } from './create-job.ts'

const WINDOW_SECONDS = 100

async function open(database: Database = openTestDatabase(8)) {
  const { prisma, pool } = database
  const { id: projectId } = await createTestProject(database)
  const deps = { prisma, pool, queue: { wakeWorker: async () => {} }, log: silent, defaultModel: 'm-1' }
  const quota = { limit: 1_000_000, windowSeconds: WINDOW_SECONDS }
  const create = async (count: number) => {
    const input = { projectId, request: { prompt: 'Fix it.' }, idempotencyKey: null }
    await Promise.all(Array.from({ length: count }, () => createJob({ ...deps, quota, audit: COMMAND_LINE }, input)))
  }
  const listJobs = async () =>
    (await pool.query<{ id: string }>('SELECT id FROM jobs WHERE project_id = $1 ORDER BY created_at, id', [projectId]))
      .rows
  /** Moves the runs to an earlier time, or to a later one as if the clock had been set back. */
  const shift = async (seconds: number) => {
    const client = await pool.connect()
    try {
      // The triggers prevent changes of the time of creation.
      await client.query('BEGIN; SET LOCAL session_replication_role = replica')
      const by = [projectId, `${seconds} s`]
      await client.query('UPDATE runs SET created_at = created_at - $2::interval WHERE project_id = $1', by)
      await client.query('UPDATE projects SET quota_gap_at = quota_gap_at - $2::interval WHERE id = $1', by)
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  }
  /** Returns how many runs are in the window, as `count_runs` reports it and counted. */
  const compare = async (seconds: number, limit: number) => {
    const { rows } = await pool.query<{ used: number; left: number; counted: number; seconds: number }>(
      `SELECT r.used, r.seconds_left AS left, c.counted, ceil(extract(epoch FROM c.oldest - c.since))::int AS seconds
       FROM count_runs($1, 'create', $2, $3) r, (
         SELECT count(*)::int AS counted, min(created_at) AS oldest, since FROM (
           SELECT created_at, now() - make_interval(secs => $3) AS since FROM runs
           WHERE project_id = $1 AND kind = 'create' AND created_at > now() - make_interval(secs => $3)
           ORDER BY created_at DESC LIMIT $2
         ) newest GROUP BY since
       ) c`,
      [projectId, limit, seconds],
    )
    return rows[0]
  }
  return { database, pool, projectId, create, listJobs, shift, compare }
}

/** Numbers from 0 to below 1 in a repeatable order. */
function openRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test.each([1, 2, 3, 4])(
  'counts exactly after random creations, deletions and changes of the clock (%i)',
  async (seed) => {
    const { database, pool, projectId, create, listJobs, shift, compare } = await open()
    const random = openRandom(seed)
    const pick = (max: number) => Math.floor(random() * max)
    const actions: (() => Promise<unknown>)[] = [
      () => create(1 + pick(6)),
      () => create(1 + pick(6)),
      () => create(1),
      () => shift(pick(40)),
      () => shift(WINDOW_SECONDS + 1),
      // The clock is set back.
      () => shift(-pick(20)),
      async () => {
        const jobs = await listJobs()
        if (jobs.length > 0) await database.prisma.$transaction((tx) => removeJobs(tx, [jobs[pick(jobs.length)]!.id]))
      },
      async () => {
        const newest = (await listJobs()).at(-1)
        if (newest) await database.prisma.$transaction((tx) => removeJobs(tx, [newest.id]))
      },
      // A service of the previous version creates a job.
      async () => {
        await create(1)
        const newest = (await listJobs()).at(-1)
        await pool.query('UPDATE runs SET quota_seq = NULL WHERE job_id = $1', [newest?.id])
      },
    ]
    let compared = 0
    for (let step = 0; step < 60; step += 1) {
      await actions[pick(actions.length)]!()
      for (const [seconds, limit] of [
        [WINDOW_SECONDS, 1_000_000],
        [WINDOW_SECONDS, 3],
        [30, 1_000_000],
      ] as const) {
        const row = await compare(seconds, limit)
        if (row === undefined) continue
        compared += 1
        expect(row.used, `step ${step}, ${seconds} s, at most ${limit}`).toBe(row.counted)
        expect(Math.abs(row.left - Math.max(1, row.seconds)), `step ${step}`).toBeLessThanOrEqual(1)
      }
    }
    expect(compared).toBeGreaterThan(50)
    await shift(3600)
    const { rows } = await pool.query('SELECT used FROM count_runs($1, $2, 10, 1)', [projectId, 'create'])
    expect(rows).toEqual([{ used: 0 }])
  },
)

test('counts jobs that were created after the clock was set back', async () => {
  const { create, shift, compare } = await open()
  await create(3)
  await shift(-20)
  await create(2)
  expect(await compare(WINDOW_SECONDS, 1_000_000)).toMatchObject({ used: 5, counted: 5 })
})

test('reads two runs of a large window instead of all of them', async () => {
  const { pool, projectId, create, compare } = await open()
  await create(1)
  await pool.query(
    `INSERT INTO jobs SELECT filled.* FROM jobs t, generate_series(1, 3000) n,
       jsonb_populate_record(t, jsonb_build_object('id', 'job_q' || t.project_id || n)) filled WHERE t.project_id = $1`,
    [projectId],
  )
  await pool.query(
    `INSERT INTO runs SELECT filled.* FROM runs t, generate_series(1, 3000) n,
       jsonb_populate_record(t, jsonb_build_object('id', 'run_q' || t.project_id || n,
         'job_id', 'job_q' || t.project_id || n, 'quota_seq', n + 1,
         'created_at', t.created_at + n * interval '1 ms')) filled
     WHERE t.project_id = $1`,
    [projectId],
  )
  expect(await compare(WINDOW_SECONDS, 1_000_000)).toMatchObject({ used: 3001, counted: 3001 })
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const countReads = async () => {
      const { rows } = await client.query(
        "SELECT pg_stat_get_xact_tuples_returned('runs_quota'::regclass)::int AS reads",
      )
      return rows[0].reads as number
    }
    const before = await countReads()
    await client.query("SELECT count_runs($1, 'create', 1000000, $2)", [projectId, WINDOW_SECONDS])
    const fast = (await countReads()) - before
    // A gap in the numbers makes it count.
    await client.query('UPDATE projects SET quota_gap_at = clock_timestamp() WHERE id = $1', [projectId])
    await client.query("SELECT count_runs($1, 'create', 1000000, $2)", [projectId, WINDOW_SECONDS])
    const counted = (await countReads()) - before - fast
    expect(counted).toBeGreaterThan(3000)
    expect(fast).toBeLessThan(20)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})
