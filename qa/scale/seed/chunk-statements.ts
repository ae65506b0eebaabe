/**
 * Statements that insert one chunk of jobs with everything that belongs to them. The table
 * `seed_chunk` describes the jobs, and a template job and run supply the columns that are not
 * listed, so that new columns need no change here.
 */

/** Retention periods of the service. Older rows would have been removed. */
const IDEMPOTENCY = "interval '1 day'"
const WEBHOOKS = "interval '30 days'"
const DEPLOYMENTS = "interval '90 days'"
/** Time for which pull requests are tracked and files of ended runs are kept. */
const TRACKING = "interval '90 days'"
const FILES = "interval '1 hour'"

/** Number of events and of transcript rows per run. */
const EVENTS = 8
export const TRANSCRIPT_ROWS = 4

const COMMIT = (salt: string) => `md5(c.key || '${salt}') || '00000000'`
const hasChange = "c.outcome = 'changed'"
/** A value for jobs whose pull request was opened. */
const ofChange = (value: string) => `CASE WHEN ${hasChange} THEN ${value} END`
/** Older pull requests are closed. */
const IS_OPEN = `pg_temp.pick(c.n, 8, 50) = 0 AND c.ended > now() - ${TRACKING}`
const BRANCH = "'corrigenda/' || c.key"
const PULL_REQUEST = "c.repository_url || '/pull/' || c.n"

/** Functions and tables that the other statements use, in the temporary schema of the session. */
export const PREPARE = [
  // Disables triggers and foreign keys. Check constraints still apply.
  'SET session_replication_role = replica',
  'SET synchronous_commit = off',
  'SET jit = off',
  // A number from 0 to size - 1, always the same for the same arguments.
  `CREATE FUNCTION pg_temp.pick(n bigint, salt int, size int) RETURNS int LANGUAGE sql IMMUTABLE AS
    'SELECT ((hashint8extended(n, salt) & 9223372036854775807) % size)::int'`,
  'CREATE TEMP TABLE seed_paragraphs (i int PRIMARY KEY, text text)',
  'CREATE TEMP TABLE seed_projects (i int PRIMARY KEY, id text, repository_url text, endpoint_id text)',
  `CREATE TEMP TABLE seed_chunk (n bigint, key text, project_id text, repository_url text, endpoint_id text,
    created timestamptz(3), started timestamptz(3), ended timestamptz(3), outcome text, status text,
    is_active boolean, has_follow_up boolean, words text, more_words text)`,
]

/**
 * Parameters: first and last number, number of jobs, age of the oldest and of the newest job in
 * seconds, number of projects, number of active jobs. A third of the projects has most of the jobs.
 */
export const FILL_CHUNK = `
  INSERT INTO seed_chunk
  SELECT c.n, '00' || lpad(floor(extract(epoch FROM c.created) * 1000)::bigint::text, 13, '0') || left(md5(c.n::text), 11),
    p.id, p.repository_url, p.endpoint_id, c.created,
    c.created + interval '5 seconds',
    CASE WHEN NOT c.is_active THEN c.created + make_interval(secs => 60 + pg_temp.pick(c.n, 3, 600)) END,
    CASE WHEN NOT c.is_active THEN c.outcome END,
    CASE WHEN c.is_active THEN 'active' WHEN pg_temp.pick(c.n, 4, 20) = 0 THEN 'archived'
      WHEN c.outcome IN ('failed', 'cancelled') THEN 'failed' ELSE 'completed' END,
    c.is_active, NOT c.is_active AND pg_temp.pick(c.n, 5, 10) = 0, words.text, more.text
  FROM (
    SELECT n, (first_n + total - n) <= active AS is_active,
      -- The project's number. The third power gives the first projects most of the jobs.
      1 + floor(projects * power(pg_temp.pick(n, 1, 1000000) / 1e6, 3))::int AS project,
      now() - make_interval(secs => newest + (oldest - newest) * (first_n + total - n) / total) AS created,
      (ARRAY['changed', 'changed', 'changed', 'changed', 'changed', 'changed', 'no_changes', 'needs_input', 'failed',
        'cancelled'])[1 + pg_temp.pick(n, 2, 10)] AS outcome
    FROM (SELECT $3::bigint AS first_n, $4::float8 AS total, $5::float8 AS oldest, $6::float8 AS newest, $7::int AS projects,
        $8::int AS active) input,
      generate_series($1::bigint, $2::bigint) n
  ) c
  JOIN seed_projects p ON p.i = c.project
  JOIN seed_paragraphs words ON words.i = pg_temp.pick(c.n, 6, (SELECT count(*)::int FROM seed_paragraphs))
  JOIN seed_paragraphs more ON more.i = pg_temp.pick(c.n, 7, (SELECT count(*)::int FROM seed_paragraphs))`

const toObject = (fields: Readonly<Record<string, string>>) =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ')})`

const JOB = toObject({
  id: "'job_' || c.key",
  project_id: 'c.project_id',
  repository_url: 'c.repository_url',
  status: 'c.status',
  phase: "CASE WHEN c.is_active THEN 'editing' END",
  outcome: 'c.outcome',
  failure_code: "CASE c.outcome WHEN 'failed' THEN 'checks_failed' WHEN 'cancelled' THEN 'cancelled' END",
  failure_message: "CASE WHEN c.outcome IN ('failed', 'cancelled') THEN left(c.words, 120) END",
  ref: ofChange(BRANCH),
  title: 'left(c.words, 60)',
  summary: "right(c.words, 300) || ' DOC-' || c.n",
  checks: `'[{"name": "links", "status": "passed", "introduced": 0, "preexisting": 2, "findings": []}]'::jsonb`,
  pr_link: ofChange(PULL_REQUEST),
  pr_url: ofChange(PULL_REQUEST),
  pr_number: ofChange('c.n'),
  pr_branch: ofChange(BRANCH),
  pr_draft: ofChange('false'),
  pr_state: ofChange(
    `CASE WHEN ${IS_OPEN} THEN 'open' WHEN pg_temp.pick(c.n, 8, 50) < 6 THEN 'closed' ELSE 'merged' END`,
  ),
  base_commit: COMMIT('base'),
  head_commit: ofChange(COMMIT('head')),
  input_tokens: '40000 + pg_temp.pick(c.n, 9, 90000)',
  output_tokens: '3000 + pg_temp.pick(c.n, 10, 9000)',
  cost_usd: '0.2 + pg_temp.pick(c.n, 11, 1000000) / 1e6',
  turns: '12',
  model: "CASE pg_temp.pick(c.n, 15, 4) WHEN 0 THEN 'claude-opus-5-5' ELSE 'claude-sonnet-5-5' END",
  created_by: "'usr_seed_' || pg_temp.pick(c.n, 16, 7)",
  created_by_name: "'User ' || pg_temp.pick(c.n, 16, 7)",
  last_event_seq: String(EVENTS),
  created_at: 'c.created',
  started_at: 'c.started',
  finished_at: 'c.ended',
  updated_at: 'coalesce(c.ended, c.started)',
  archived_at: "CASE WHEN c.status = 'archived' THEN c.ended END",
})

const RUN = toObject({
  id: "'run_' || substr(c.key, 2) || run",
  job_id: "'job_' || c.key",
  project_id: 'c.project_id',
  seq: 'run',
  kind: "CASE run WHEN 1 THEN 'create' ELSE 'message' END",
  prompt: "c.words || ' ' || left(c.more_words, 200) || ' See DOC-' || c.n || '.'",
  active: 'c.is_active',
  attempt: '1',
  claimed_at: 'c.started',
  started_at: 'c.started',
  ended_at: 'c.ended',
  created_at: 'c.created',
  next_run_at: 'c.created',
  lease_owner: "CASE WHEN c.is_active THEN 'seed' END",
  lease_until: "CASE WHEN c.is_active THEN now() + interval '7 days' END",
  base_branch: "'main'",
  base_commit: COMMIT('base'),
  opening_at: ofChange('c.ended'),
  settings: "'{}'::jsonb",
  policy_files: "'[]'::jsonb",
  files_removed_at: `CASE WHEN c.ended < now() - ${FILES} THEN c.ended + ${FILES} END`,
  frozen: ofChange(
    toObject({
      branch: BRANCH,
      baseBranch: "'main'",
      baseCommit: COMMIT('base'),
      commit: COMMIT('head'),
      commitMessage: 'left(c.words, 200)',
      timestamp: 'extract(epoch FROM c.ended)::bigint',
      title: 'left(c.words, 60)',
      body: "c.words || ' DOC-' || c.n",
      draft: 'false',
      labels: "'[]'::jsonb",
    }),
  ),
})

const PATCH = `'[{"path": "docs/guide/', c.n % 400, '.md", "status": "modified", "additions": 4, "deletions": 2, "omitted": null,
  "patch": "--- a/guide.md\\n+++ b/guide.md\\n@@ -1,4 +1,6 @@\\n-', left(c.words, 200), '\\n+', left(c.more_words, 200), '\\n"}]'`
/** One delivery for each event. */
const HAS_EVENT = `c.endpoint_id IS NOT NULL AND c.ended > now() - ${WEBHOOKS}`
const OF_CHUNK = 'FROM seed_chunk c'
const RUNS_OF_CHUNK = `${OF_CHUNK} CROSS JOIN LATERAL generate_series(1, 1 + c.has_follow_up::int) run`

/** Parameters: ids of the template job and run. */
export const INSERT_JOBS = `INSERT INTO jobs SELECT filled.* ${OF_CHUNK}
  JOIN jobs template ON template.id = $1 CROSS JOIN LATERAL jsonb_populate_record(template, ${JOB}) filled`
export const INSERT_RUNS = `INSERT INTO runs SELECT filled.* ${RUNS_OF_CHUNK}
  JOIN runs template ON template.id = $1 CROSS JOIN LATERAL jsonb_populate_record(template, ${RUN}) filled`

/** Parameters: paragraphs of half a kilobyte per transcript row. */
export const INSERT_TRANSCRIPTS = `
  INSERT INTO transcript_rows (run_id, seq, conversation, role, content, stop_reason, usage, created_at)
  SELECT 'run_' || substr(c.key, 2) || run, row_n, 1, CASE row_n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
    json_build_array(json_build_object('type', 'text', 'text', repeated.text)),
    CASE row_n % 2 WHEN 1 THEN 'end_turn' END,
    CASE row_n % 2 WHEN 1 THEN '{"inputTokens": 9000, "outputTokens": 700}'::jsonb END, c.started
  ${RUNS_OF_CHUNK} CROSS JOIN generate_series(0, ${TRANSCRIPT_ROWS - 1}) row_n
  CROSS JOIN LATERAL (
    SELECT string_agg(CASE k % 2 WHEN 0 THEN c.words ELSE c.more_words END, ' ') AS text FROM generate_series(1, $1::int) k
  ) repeated`

/** The other tables. */
export const INSERT_REST = [
  `INSERT INTO job_events (job_id, seq, type, data, created_at)
    SELECT 'job_' || c.key, seq,
      CASE seq WHEN 1 THEN 'job.created' WHEN 2 THEN 'job.started' WHEN 3 THEN 'checkout.ready' WHEN 6 THEN 'phase.changed'
        WHEN ${EVENTS} THEN CASE WHEN c.is_active THEN 'tool.called'
          WHEN c.outcome IN ('failed', 'cancelled') THEN 'job.failed' ELSE 'job.completed' END
        WHEN 5 THEN 'agent.said' ELSE 'tool.called' END,
      CASE seq WHEN 1 THEN '{}' WHEN 2 THEN '{"attempt": 1}'
        WHEN 3 THEN jsonb_build_object('baseBranch', 'main', 'baseCommit', ${COMMIT('base')})
        WHEN 5 THEN jsonb_build_object('text', left(c.words, 200)) WHEN 6 THEN '{"phase": "checking"}'
        WHEN ${EVENTS} THEN jsonb_build_object('outcome', c.outcome, 'prLink', ${ofChange(PULL_REQUEST)}, 'code', 'checks_failed')
        ELSE jsonb_build_object('tool', 'edit', 'subject', 'docs/guide/' || c.n % 400 || '.md') END,
      c.started + make_interval(secs => seq)
    ${OF_CHUNK} CROSS JOIN generate_series(1, ${EVENTS}) seq`,
  `INSERT INTO job_messages (id, job_id, project_id, prompt, created_at, run_id, taken_at)
    SELECT 'msg_' || c.key, 'job_' || c.key, c.project_id, left(c.more_words, 200), c.ended, 'run_' || substr(c.key, 2) || 2,
      c.ended ${OF_CHUNK} WHERE c.has_follow_up`,
  `INSERT INTO job_changes (job_id, base_commit, head_commit, files, updated_at)
    SELECT 'job_' || c.key, ${COMMIT('base')}, ${COMMIT('head')}, concat(${PATCH})::jsonb, c.ended
    ${OF_CHUNK} WHERE ${hasChange}`,
  `INSERT INTO source_reads (job_id, source, project_id, repository_url, commit, read_at)
    SELECT 'job_' || c.key, 'code', c.project_id, 'https://github.com/acme/code', ${COMMIT('code')}, c.started
    ${OF_CHUNK} WHERE ${hasChange}`,
  `INSERT INTO run_files (run_id, path, mode, content)
    SELECT 'run_' || substr(c.key, 2) || run, 'docs/guide/' || c.n % 400 || '.md', '100644', convert_to(c.words, 'UTF8')
    ${RUNS_OF_CHUNK} WHERE ${hasChange} AND c.ended > now() - ${FILES}`,
  `INSERT INTO pull_request_watches (job_id, looks, next_look_at, looked_at, closed_at, created_at)
    SELECT 'job_' || c.key, 9,
      CASE WHEN is_open THEN now() + make_interval(secs => 86400 + c.n % 86400) END,
      c.ended, CASE WHEN NOT is_open THEN c.ended END, c.ended
    ${OF_CHUNK} CROSS JOIN LATERAL (SELECT ${IS_OPEN}) AS state (is_open) WHERE ${hasChange}`,
  `INSERT INTO idempotency_keys (project_id, key, request_hash, response, created_at)
    SELECT c.project_id, c.key, sha256(c.key::bytea), left(c.words, 400), c.created
    ${OF_CHUNK} WHERE c.created > now() - ${IDEMPOTENCY} AND pg_temp.pick(c.n, 12, 2) = 0`,
  `INSERT INTO deployments (id, project_id, job_id, status, source, summary, created_at, started_at, ended_at)
    SELECT 'dep_' || c.key, c.project_id, 'job_' || c.key, 'success', 'merge', 'Deployed.', c.ended, c.ended, c.ended
    ${OF_CHUNK} WHERE ${hasChange} AND c.ended > now() - ${DEPLOYMENTS} AND pg_temp.pick(c.n, 13, 10) = 0`,
  `INSERT INTO webhook_events (id, project_id, type, payload, created_at)
    SELECT 'evt_' || c.key, c.project_id, 'job.completed', c.words || c.more_words, c.ended ${OF_CHUNK} WHERE ${HAS_EVENT}`,
  `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, status, attempt, next_attempt_at, last_status, created_at, ended_at)
    SELECT 'whd_' || c.key, c.endpoint_id, 'evt_' || c.key,
      (CASE WHEN pg_temp.pick(c.n, 14, 20) = 0 THEN 'failed' ELSE 'delivered' END)::webhook_delivery_status,
      1, c.ended, 200, c.ended, c.ended ${OF_CHUNK} WHERE ${HAS_EVENT}`,
  `INSERT INTO webhook_attempts (delivery_id, attempt, status, ms, answer, created_at)
    SELECT 'whd_' || c.key, 1, 200, 40, 'ok', c.ended ${OF_CHUNK} WHERE ${HAS_EVENT}`,
  `INSERT INTO audit_events (id, created_at, action, actor_type, actor_id, actor_name, ip_address, request_id, project_id,
      target_type, target_id, after)
    SELECT 'aud_' || c.key, c.created, 'job.created', 'key', 'key_' || c.project_id, 'backend', '192.0.2.1', 'req_' || c.key,
      c.project_id, 'job', 'job_' || c.key, '{}' ${OF_CHUNK}`,
  'TRUNCATE seed_chunk',
]
