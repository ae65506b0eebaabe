import type { Database } from '../db/open-database.ts'
import { finishRun } from '../runs/finish-run.ts'
import { claim, createTestRun } from './create-test-run.ts'

const FILLED_JOBS = 6_000
/** The first project has half of the jobs. */
export const FILLED_PROJECT = 'prj_1'
const PROJECTS = 50
const USERS = 1_000

const id = (prefix: string, n = 'n') => `'${prefix}_' || lpad((${n})::text, 26, '0')`
const project = `CASE WHEN n % 2 = 0 THEN '${FILLED_PROJECT}' ELSE 'prj_' || (n % ${PROJECTS} + 1) END`
const time = "now() - n * interval '10 minutes'"
const jobs = `generate_series(1, ${FILLED_JOBS}) n`
const hasChange = 'n % 3 = 0'
const url = "'https://github.com/acme/docs/pull/' || n"

/** Columns of a job that differ from the template. Every third job has a pull request. */
const JOB = `jsonb_build_object(
  'id', ${id('job')}, 'project_id', ${project}, 'created_at', ${time}, 'finished_at', ${time}, 'title', 'Title ' || n,
  'summary', 'Solves DOC-' || n, 'options', CASE WHEN n % 10 = 7 THEN jsonb_build_object('branch', 'corrigenda/b' || n) ELSE '{}' END, 'status', CASE WHEN n % 60 = 2 THEN 'failed' ELSE 'completed' END,
  'outcome', CASE WHEN ${hasChange} THEN 'changed' WHEN n % 60 = 2 THEN 'failed' ELSE 'no_changes' END,
  'failure_code', CASE WHEN n % 60 = 2 THEN 'checks_failed' END, 'failure_message', CASE WHEN n % 60 = 2 THEN 'm' END)
  || CASE WHEN ${hasChange} THEN jsonb_build_object('pr_number', n, 'pr_url', ${url}, 'pr_link', ${url}, 'pr_branch', 'b' || n,
    'pr_draft', false, 'head_commit', 'c' || n, 'pr_state', CASE WHEN n % 300 = 0 THEN 'open' ELSE 'merged' END)
  ELSE '{}' END`
const RUN = `jsonb_build_object('id', ${id('run')}, 'job_id', ${id('job')}, 'project_id', ${project}, 'created_at', ${time},
  'ended_at', ${time}, 'files_removed_at', ${time}, 'prompt', 'Change DOC-' || n || repeat(' of the guide', 10))`

/** Every table that is not listed in `SMALL_TABLES` of the index test needs a statement. */
const STATEMENTS = [
  `INSERT INTO job_events (job_id, seq, type) SELECT ${id('job')}, 1, 'job.created' FROM ${jobs}`,
  `INSERT INTO job_messages (id, job_id, project_id, prompt, run_id, taken_at, created_at)
    SELECT ${id('msg')}, ${id('job')}, ${project}, 'x', ${id('run')}, now(), ${time} FROM ${jobs}`,
  `INSERT INTO job_changes (job_id, base_commit, files) SELECT ${id('job')}, 'b', '[]' FROM ${jobs}`,
  `INSERT INTO source_reads (job_id, source, project_id, repository_url, ref, commit, read_at)
    SELECT ${id('job')}, 'code', ${project}, 'https://github.com/acme/code', 'main', repeat('c', 40), ${time} FROM ${jobs}`,
  `INSERT INTO transcript_rows (run_id, seq, conversation, role, content)
    SELECT ${id('run')}, 1, 1, 'user', '[]' FROM ${jobs}`,
  `INSERT INTO run_files (run_id, path, mode) SELECT ${id('run')}, 'a.md', '100644' FROM ${jobs}`,
  `INSERT INTO pull_request_watches (job_id, next_look_at) SELECT ${id('job')},
    CASE WHEN n % 300 = 0 THEN now() + interval '1 day' END FROM ${jobs} WHERE ${hasChange}`,
  `INSERT INTO pull_request_remarks (job_id, id, author, body)
    SELECT ${id('job')}, 'comment:1', 'ada', 'Hello.' FROM ${jobs} WHERE ${hasChange}`,
  `INSERT INTO idempotency_keys (project_id, key, request_hash, response, created_at)
    SELECT ${project}, n::text, decode(repeat('00', 32), 'hex'), '{}', now() - interval '1 hour' FROM ${jobs}`,
  `INSERT INTO deployments (id, project_id, job_id, status, source, created_at, started_at, ended_at)
    SELECT ${id('dep')}, ${project}, ${id('job')}, 'success', 'merge', ${time}, ${time}, ${time} FROM ${jobs}`,
  `INSERT INTO webhook_endpoints (id, project_id, url, sealed_secret)
    SELECT 'whe_' || n, 'prj_' || n, 'https://example.com', decode(repeat('01', 64), 'hex') FROM generate_series(1, ${PROJECTS}) n`,
  `INSERT INTO webhook_events (id, project_id, type, payload, created_at)
    SELECT ${id('evt')}, ${project}, 'job.completed', '{}', now() - n * interval '1 minute' FROM ${jobs}`,
  `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, status, created_at, ended_at)
    SELECT ${id('whd')}, 'whe_1', ${id('evt')},
      (CASE WHEN n % 60 = 2 THEN 'failed' ELSE 'delivered' END)::webhook_delivery_status, ${time}, ${time} FROM ${jobs}`,
  `INSERT INTO webhook_attempts (delivery_id, attempt, status, ms) SELECT ${id('whd')}, 1, 200, 1 FROM ${jobs}`,
  `INSERT INTO project_spend (project_id, month) SELECT 'prj_' || n, (date '2000-01-01' + m * interval '1 month')::date
    FROM generate_series(1, ${PROJECTS}) n, generate_series(1, 40) m`,
  `INSERT INTO users (id, name, email) SELECT 'usr_' || n, 'n', n || '@example.com' FROM generate_series(1, ${USERS}) n`,
  `INSERT INTO memberships (project_id, user_id, role)
    SELECT 'prj_' || ((n + m) % ${PROJECTS} + 1), 'usr_' || n, 'member' FROM generate_series(1, ${USERS}) n, generate_series(1, 3) m`,
  `INSERT INTO sessions (id, user_id, token, expires_at)
    SELECT 'ses_' || n || '_' || m, 'usr_' || n, n || ' ' || m, now() + interval '1 day'
    FROM generate_series(1, ${USERS}) n, generate_series(1, 3) m`,
  `INSERT INTO sign_in_links (id, user_id, token_hash, expires_at)
    SELECT 'lnk_' || n, 'usr_' || n, sha256(n::text::bytea), now() + interval '15 min' FROM generate_series(1, ${USERS}) n`,
  `INSERT INTO audit_events (id, action, actor_type, actor_id, actor_name, project_id, created_at)
    SELECT 'aud_' || n, CASE n % 50 WHEN 0 THEN 'session.sign_in_failed' ELSE 'job.created' END, 'user',
      'usr_' || n % ${USERS}, 'n', 'prj_' || n % ${PROJECTS}, now() - n * interval '1 hour' FROM ${jobs}`,
  `INSERT INTO sign_in_tries (account, origin, tries, since) SELECT sha256(n::text::bytea), sha256(n::text::bytea), 1, now() FROM ${jobs}`,
]

/** Fills a database with jobs of many projects and with all rows that belong to them. */
export async function fillDatabase(database: Database): Promise<void> {
  const run = await createTestRun(database)
  const held = await claim(database, run.runId)
  if (!held) throw new Error('The template run cannot be claimed.')
  await finishRun(database, held, { kind: 'no_changes', summary: '', checks: [] })
  const clones = [
    `INSERT INTO projects SELECT (jsonb_populate_record(p, jsonb_build_object('id', 'prj_' || n))).*
      FROM projects p, generate_series(1, ${PROJECTS}) n WHERE p.id = '${run.projectId}'`,
    `INSERT INTO jobs SELECT filled.* FROM jobs j, ${jobs}, jsonb_populate_record(j, ${JOB}) filled WHERE j.id = '${run.jobId}'`,
    `INSERT INTO runs SELECT filled.* FROM runs r, ${jobs}, jsonb_populate_record(r, ${RUN}) filled WHERE r.id = '${run.runId}'`,
  ]
  // The setting disables triggers and foreign keys.
  for (const statement of ['SET session_replication_role = replica', ...clones, ...STATEMENTS]) {
    await database.pool.query(statement)
  }
  await database.pool.query('SET session_replication_role = DEFAULT')
  // As autovacuum does. Index-only scans need it.
  await database.pool.query('VACUUM ANALYZE')
}
