import { OUTCOME_STATUSES } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { Prisma } from '../generated/prisma/client.ts'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { claim, createTestRun, freeze } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import type { Database } from './open-database.ts'

/** Creates a job in the given state using production code. */
async function makeJob(database: Database, state: 'active' | 'completed' | 'no_changes' | 'failed' | 'archived') {
  const run = await createTestRun(database)
  if (state === 'active') return run
  const held = await claim(database, run.runId)
  if (state === 'completed' || state === 'archived') {
    await freeze(database, held!)
    await recordPush(database, held!, { branch: run.jobId, commit: 'c' })
    const url = `https://github.com/acme/docs/pull/${run.jobId}`
    await finishRun(database, held!, {
      kind: 'changed',
      pullRequest: { number: 1, url, branch: run.jobId, state: 'open', draft: false },
    })
  } else if (state === 'no_changes') await finishRun(database, held!, { kind: 'no_changes', summary: '', checks: [] })
  else await finishRun(database, held!, { kind: 'failed', code: 'internal_error', message: 'y' })
  if (state === 'archived')
    await database.pool.query("UPDATE jobs SET status = 'archived', archived_at = now() WHERE id = $1", [run.jobId])
  return run
}

const refused: ['active' | 'completed' | 'no_changes' | 'failed' | 'archived', string, string][] = [
  ['active', 'a pull request link', "pr_link = 'https://x/1', pr_url = 'https://x/1', head_commit = 'c'"],
  [
    'active',
    'archiving',
    "status = 'archived', archived_at = now(), phase = NULL, outcome = 'failed', finished_at = now()",
  ],
  ['active', 'completion without an outcome', "status = 'completed', phase = NULL, finished_at = now()"],
  [
    'active',
    'a changed outcome without a link',
    "status = 'completed', phase = NULL, outcome = 'changed', finished_at = now()",
  ],
  [
    'active',
    'completion with a failure outcome',
    "status = 'completed', phase = NULL, outcome = 'failed', finished_at = now(), failure_code = 'x', failure_message = 'y'",
  ],
  ['active', 'failure without a code', "status = 'failed', phase = NULL, outcome = 'failed', finished_at = now()"],
  ['active', 'an archive time', 'archived_at = now()'],
  ['active', 'a missing phase', 'phase = NULL'],
  ['active', 'an incomplete pull request', 'pr_number = 3'],
  ['active', 'a different repository', "repository_url = 'https://github.com/evil/docs'"],
  ['active', 'negative counters', 'turns = -1'],
  ['active', 'a decreasing event sequence', 'last_event_seq = 0'],
  [
    'no_changes',
    'a link without changed files',
    "pr_link = 'https://x/2', pr_url = 'https://x/2', pr_number = 2, pr_branch = 'b', pr_state = 'open', pr_draft = false",
  ],
  ['no_changes', 'a different summary', "summary = 'rewritten'"],
  ['completed', 'a later failure', "status = 'failed', outcome = 'failed', failure_code = 'x', failure_message = 'y'"],
  ['completed', 'a different link', "pr_link = 'https://x/3', pr_url = 'https://x/3'"],
  ['completed', 'removing the link', 'pr_link = NULL'],
  ['completed', 'archiving without a time', "status = 'archived'"],
  [
    'failed',
    'a later completion',
    "status = 'completed', outcome = 'no_changes', failure_code = NULL, failure_message = NULL",
  ],
  ['archived', 'unarchiving with a different result', "status = 'failed', archived_at = NULL"],
  ['archived', 'unarchiving with other changes', "status = 'completed', archived_at = NULL, title = 'New'"],
  [
    'archived',
    'becoming active',
    "status = 'active', archived_at = NULL, phase = 'queued', outcome = NULL, finished_at = NULL, pr_link = NULL",
  ],
]

test.each(refused)('for a job in the state %s, the database rejects %s', async (state, _what, change) => {
  const database = openTestDatabase(2)
  const { jobId } = await makeJob(database, state)
  await expect(database.pool.query(`UPDATE jobs SET ${change} WHERE id = $1`, [jobId])).rejects.toMatchObject({
    code: '23514',
  })
})

test('a finished job accepts pull request updates, archiving and reactivation by a follow-up', async () => {
  const database = openTestDatabase(2)
  const { jobId } = await makeJob(database, 'completed')
  const set = (change: string) => database.pool.query(`UPDATE jobs SET ${change} WHERE id = $1`, [jobId])
  await set("pr_state = 'merged'")
  await set("status = 'active', phase = 'queued', outcome = NULL, finished_at = NULL, pr_link = NULL")
  await set("status = 'completed', phase = NULL, outcome = 'changed', finished_at = now(), pr_link = pr_url")
  await set("status = 'archived', archived_at = now()")
  await set("pr_state = 'closed'")
  await set("status = 'completed', archived_at = NULL")
})

test('a pull request belongs to only one job', async () => {
  const database = openTestDatabase(2)
  const [a, b] = [await createTestRun(database), await createTestRun(database)]
  const url = `https://github.com/acme/docs/pull/${a.jobId}`
  const set = (jobId: string, link: string) =>
    database.pool.query(
      "UPDATE jobs SET pr_url = $2, pr_number = 1, pr_branch = $3, pr_state = 'open', pr_draft = false WHERE id = $1",
      [jobId, link, a.jobId],
    )
  await set(a.jobId, url)
  await expect(set(b.jobId, url)).rejects.toMatchObject({ code: '23505' })
})

test('only a frozen run can start opening its pull request, and a cancel request can be pending only after that', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  const set = (change: string) => database.pool.query(`UPDATE runs SET ${change} WHERE id = $1`, [runId])
  await expect(set('opening_at = now()')).rejects.toThrow('runs_opening_needs_frozen')
  await freeze(database, (await claim(database, runId))!)
  await expect(set('cancel_requested_at = now()')).rejects.toThrow('runs_cancel_waits_only_for_opening')
  await set('opening_at = now()')
  await set('cancel_requested_at = now()')
  for (const change of ['NULL', "now() + interval '1 second'"]) {
    await expect(set(`opening_at = ${change}`), change).rejects.toThrow(/has begun to open its pull request/)
  }
})

test('a job has at most one active run, attempts never decrease, and a frozen or ended run stays that way', async () => {
  const database = openTestDatabase(2)
  const { jobId, runId, projectId } = await createTestRun(database)
  const set = (change: string) => database.pool.query(`UPDATE runs SET ${change} WHERE id = $1`, [runId])
  const second = database.pool.query(
    "INSERT INTO runs (id, job_id, project_id, seq, kind, prompt) VALUES ($1, $2, $3, 2, 'message', 'x')",
    [`${runId}2`, jobId, projectId],
  )
  await expect(second).rejects.toMatchObject({ code: '23505' })
  await set('attempt = 3')
  await expect(set('attempt = 2')).rejects.toMatchObject({ code: '23514' })
  await set(`frozen = '{"a":1}', base_commit = 'c'`)
  await expect(set(`frozen = '{"a":2}'`)).rejects.toMatchObject({ code: '23514' })
  await expect(set("base_commit = 'd'")).rejects.toMatchObject({ code: '23514' })
  await expect(set("prompt = 'other'")).rejects.toMatchObject({ code: '23514' })
  await set('active = false, ended_at = now()')
  await expect(set('active = true, ended_at = NULL')).rejects.toMatchObject({ code: '23514' })
})

test('a repository URL must have at least two path segments', async () => {
  const database = openTestDatabase(2)
  const project = await createTestProject(database)
  const set = (url: string) =>
    database.pool.query('UPDATE projects SET repository_url = $2 WHERE id = $1', [project.id, url])
  await set('https://git.example.com/group/subgroup/name')
  for (const url of ['https://git.example.com/name', 'ssh://git.example.com/a/b', 'https://git.example.com/a/b c']) {
    await expect(set(url), url).rejects.toMatchObject({ code: '23514' })
  }
})

test('a new job cannot already have ended or have a pull request', async () => {
  const database = openTestDatabase(2)
  const project = await createTestProject(database)
  const insert = (columns: string, values: string) =>
    database.pool.query(
      `INSERT INTO jobs (id, project_id, repository_url, model, ${columns}) VALUES ('job_x', $1, 'https://github.com/a/b', 'm', ${values})`,
      [project.id],
    )
  await expect(
    insert('status, phase, outcome, finished_at', "'completed', NULL, 'no_changes', now()"),
  ).rejects.toMatchObject({ code: '23514' })
  await expect(
    insert('pr_url, pr_number, pr_branch, pr_state, pr_draft', "'https://x', 1, 'b', 'open', false"),
  ).rejects.toMatchObject({ code: '23514' })
})

test('the checks of a job list every outcome with its status', async () => {
  const { pool } = openTestDatabase(2)
  const { rows } = await pool.query<{ name: string; text: string }>(
    "SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = 'jobs'::regclass",
  )
  const find = (name: string) => rows.find((row) => row.name === name)?.text ?? ''
  const [completed = '', failed = ''] = find('jobs_outcome_fits_status').split("WHEN 'failed'")
  for (const [outcome, status] of Object.entries(OUTCOME_STATUSES)) {
    expect(status === 'completed' ? completed : failed).toContain(`'${outcome}'`)
    expect(find('jobs_failure_has_code').includes(`'${outcome}'`), outcome).toBe(status === 'failed')
  }
})

test('the migrated database has every column in the schema', async () => {
  const { prisma } = openTestDatabase(2)
  for (const model of Object.values(Prisma.ModelName)) {
    const name = (model[0]!.toLowerCase() + model.slice(1)) as 'job'
    await prisma[name].findFirst()
  }
})

test('a job has at most one merge deployment and shows its newest deployment', async () => {
  const database = openTestDatabase()
  const { jobId, projectId } = await createTestRun(database)
  const add = (id: string, trigger: string) =>
    database.prisma.deployment.create({ data: { id: `${id}_${jobId}`, projectId, jobId, trigger, summary: '' } })
  await add('dep_1', 'merge')
  await expect(add('dep_2', 'merge')).rejects.toMatchObject({ code: 'P2002' })
  await add('dep_3', 'api')
  const shown = async () => (await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).deployment
  expect(await shown()).toEqual({ statusId: `dep_3_${jobId}`, status: 'queued', url: null })
})
