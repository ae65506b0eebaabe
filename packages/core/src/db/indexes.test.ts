import { expect, test } from 'vitest'
import { listMembers } from '../accounts/members.ts'
import { forgetOldSessions, getSessionUser, listSessions } from '../accounts/sessions.ts'
import { createSignInLink, takeSignInLink } from '../accounts/sign-in-links.ts'
import { forgetSignInTries, takeSignInTry } from '../accounts/sign-in-tries.ts'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { listAuditEvents } from '../audit/list-audit-events.ts'
import { recordFailedSignIn } from '../audit/record-failed-sign-in.ts'
import { readMonthlySpend } from '../budgets/read-monthly-spend.ts'
import { claimConnectionCheck, createConnectionCheck } from '../connection-checks/connection-checks.ts'
import { claimDeployment } from '../deployments/claim-deployment.ts'
import { createDeployment, ensureMergeDeployment } from '../deployments/create-deployment.ts'
import { forgetDeployments, listDeployments } from '../deployments/deployments.ts'
import { createTestTarget, TARGET_KEY } from '../deployments/test-support/create-test-deployment.ts'
import { createJob } from '../jobs/create-job.ts'
import { deleteJob } from '../jobs/delete-job.ts'
import { getChanges } from '../jobs/get-changes.ts'
import { getJob } from '../jobs/get-job.ts'
import { toCursor } from '../jobs/job-filter.ts'
import { countJobsNeedingAttention, listDashboardJobs } from '../jobs/list-dashboard-jobs.ts'
import { listEvents } from '../jobs/list-events.ts'
import { listJobFilterOptions } from '../jobs/list-job-filter-options.ts'
import { listJobs } from '../jobs/list-jobs.ts'
import { listTranscript } from '../jobs/list-transcript.ts'
import { retryJob } from '../jobs/retry-job.ts'
import { sendMessage } from '../jobs/send-message.ts'
import { getOpsState } from '../ops/get-ops-state.ts'
import { getSetupProgress } from '../ops/get-setup-progress.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { getProjectSettings } from '../projects/get-project-settings.ts'
import { listOwnProjects } from '../projects/list-projects.ts'
import { claimPullRequestPoll, wakePullRequests } from '../pull-requests/pull-request-polls.ts'
import { removeDeletedProjects } from '../retention/remove-deleted-projects.ts'
import { removeExpired } from '../retention/remove-expired.ts'
import { claimRun } from '../runs/claim-run.ts'
import { finishRun } from '../runs/finish-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { findLastRead } from '../runs/source-reads.ts'
import { sweepRuns } from '../runs/sweep-runs.ts'
import { CLAIM_RULES, silent } from '../test-support/create-test-run.ts'
import { FILLED_PROJECT, fillDatabase } from '../test-support/fill-database.ts'
import { openNewTestDatabase } from '../test-support/open-test-database.ts'
import { claimDeliveries } from '../webhooks/claim-deliveries.ts'
import { failHopeless, forgetEvents, listDeliveries } from '../webhooks/deliveries.ts'
import { findOpenWork } from '../workers/find-open-work.ts'
import type { Database } from './open-database.ts'

/** Tables whose size does not depend on the number of jobs and users. All others are filled. */
const SMALL_TABLES = [
  '_prisma_migrations',
  'sql_files',
  'accounts',
  'api_keys',
  'git_credentials',
  'github_app_states',
  'github_apps',
  'instance',
  'instance_spend',
  'invitations',
  'projects',
  'repository_tests',
  'source_credentials',
  'saved_prompts',
  'users',
  'verifications',
  'webhook_endpoints',
  'workers',
]
/** Maximum number of index entries that a path reads. The filled tables have thousands of rows. */
const MAX_READ = 300
/** Paths that read a limited number of newest jobs, with the number of entries. */
const READS: Readonly<Record<string, number>> = {
  // Counts the states of up to 100,000 jobs in the index of the list. The project has 3,000.
  'dashboard list': 3_500,
  'dashboard list of states': 3_500,
  'filters of the dashboard list': 3_500,
  // Finds rare jobs in the same index.
  'dashboard list, filtered': 6_500,
  // Reads 1,000 jobs and their runs. The search index is used only in projects with more jobs; see
  // search-index.test.ts.
  'search for a rare text': 9_500,
  'search for a frequent text': 4_500,
  // Batches of 50 jobs and of 500 rows.
  'batch of a deleted project': 4_000,
  'retention of transcripts': 1_000,
  'retention of jobs': 2_000,
  "retention of a project's transcripts": 1_000,
  "retention of a project's jobs": 2_000,
  'webhook clean-up': 2_500,
}
/** Indexes for rules, and the search indexes. */
const UNREAD = [
  'deployments_one_in_progress',
  'jobs_pr_url_key',
  'runs_one_active_per_job',
  'jobs_by_text',
  'runs_by_text',
  'webhook_deliveries_endpoint_id_event_id_key',
  // Used when the old rows belong to other projects, which keep them.
  'runs_with_transcript_of_project',
  'jobs_of_project_by_finish',
]

const growing = `FROM pg_stat_user_tables WHERE schemaname = 'public' AND relname <> ALL ($1)`

test('every foreign key has an index that starts with its columns', async () => {
  const { pool } = await openNewTestDatabase(2)
  const { rows } = await pool.query(`
    SELECT conrelid::regclass || ' ' || conname AS key FROM pg_constraint
    WHERE contype = 'f' AND NOT EXISTS (
      SELECT FROM pg_index WHERE indrelid = conrelid AND indpred IS NULL
        AND (string_to_array(indkey::text, ' ')::smallint[])[1:cardinality(conkey)] = conkey
    )`)
  expect(rows).toEqual([])
})

test('requests and workers read few rows of the growing tables, through indexes, and use every index', async () => {
  // Statistics are counted per connection until they are flushed.
  const database = await openNewTestDatabase(1)
  const { pool } = database
  await fillDatabase(database)
  const { rows: empty } = await pool.query(`SELECT relname ${growing} AND n_live_tup < 1000`, [SMALL_TABLES])
  expect(empty, 'tables that fillDatabase does not fill').toEqual([])

  const problems: string[] = []
  for (const [path, call] of Object.entries(await buildPaths(database))) {
    const before = await countReads(database)
    await call()
    const after = await countReads(database)
    const read = after.read - before.read
    if (read > (READS[path] ?? MAX_READ)) problems.push(`${path}: reads ${read} index entries`)
    problems.push(...after.scans.filter((scan) => !before.scans.includes(scan)).map((scan) => `${path}: scans ${scan}`))
  }
  expect(problems).toEqual([])

  const { rows: unused } = await pool.query<{ name: string }>(
    `SELECT indexrelname AS name FROM pg_stat_user_indexes JOIN pg_index USING (indexrelid)
     WHERE schemaname = 'public' AND relname <> ALL ($1) AND NOT indisprimary AND idx_scan = 0`,
    [SMALL_TABLES],
  )
  expect(unused.map(({ name }) => name).filter((name) => !UNREAD.includes(name))).toEqual([])
})

async function countReads({ pool }: Database): Promise<{ read: number; scans: string[] }> {
  await pool.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ name: string; scans: string; read: string }>(
    `SELECT relname AS name, seq_scan AS scans,
       (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes i WHERE i.relid = pg_stat_user_tables.relid) AS read
     ${growing}`,
    [SMALL_TABLES],
  )
  return {
    read: rows.reduce((sum, row) => sum + Number(row.read), 0),
    scans: rows.map(({ name, scans }) => `${name} (${scans})`),
  }
}

async function buildPaths(database: Database): Promise<Record<string, () => Promise<unknown>>> {
  const { prisma, pool } = database
  const projectId = FILLED_PROJECT
  const key = TARGET_KEY
  const lease = { owner: 'test', leaseSeconds: 20 }
  const quota = { limit: 1000, windowSeconds: 3600 }
  const queue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }
  const deps = {
    prisma,
    pool,
    queue,
    log: silent,
    quota,
    messageQuota: quota,
    defaultModel: 'm-1',
    deployTargetKey: key,
  }
  const list = { projectId, limit: 20 }
  const dashboard = { projectId, limit: 50 }
  const first = await listJobs(database, list)
  const ended = await prisma.job.findMany({
    where: { projectId, status: 'completed' },
    orderBy: { createdAt: 'desc' },
    skip: 100,
    take: 10,
  })
  const old = await prisma.job.findFirstOrThrow({ where: { projectId }, orderBy: { createdAt: 'desc' }, skip: 2_000 })
  const at = (n: number) => ({ projectId, id: ended[n]?.id ?? '' })
  const claimNextRun = async () => {
    const held = await claimRun({ prisma, ...CLAIM_RULES }, lease)
    if (!held) throw new Error('There is no run to claim.')
    return held
  }
  const audit = COMMAND_LINE
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 1, turns: 1 }
  let held: Awaited<ReturnType<typeof claimNextRun>>
  const subject = { email: 'a@example.com', address: '192.0.2.1', device: null }
  const settings = { policy: { dedupe: true, maxOpenPullRequests: 1000 } }
  await prisma.project.update({
    where: { id: projectId },
    data: { settings, previewUrlTemplate: 'https://{branchSlug}.example.com' },
  })
  await createTestTarget(database, projectId)
  const create = () => createJob({ ...deps, audit }, { projectId, request: { prompt: 'New.' }, idempotencyKey: 'key' })
  return {
    'first page': () => listJobs(database, list),
    'next page': () => listJobs(database, { ...list, cursor: first.nextCursor ?? undefined }),
    'deep page': () => listJobs(database, { ...list, cursor: toCursor(old) }),
    'page of a status': () => listJobs(database, { ...list, status: 'failed' }),
    'page of an outcome': () => listJobs(database, { ...list, outcome: 'failed' }),
    'page with an offset': () => listJobs(database, { ...list, skip: 30 }),
    'page of old jobs': () => listJobs(database, { ...list, createdBefore: ended[9]?.createdAt.toISOString() }),
    'search for a rare text': () => listJobs(database, { ...list, q: 'DOC-5998' }),
    'search for a frequent text': () => listJobs(database, { ...list, q: 'DOC-' }),
    'dashboard list': () => listDashboardJobs({ prisma }, dashboard),
    'dashboard list of states': () =>
      listDashboardJobs({ prisma }, { ...dashboard, status: ['cancelled', 'needs_input'] }),
    'dashboard list, filtered': () => listDashboardJobs({ prisma }, { ...dashboard, failure: 'stuck' }),
    'filters of the dashboard list': () => listJobFilterOptions({ prisma }, { projectId }),
    'jobs that need attention': () => countJobsNeedingAttention({ prisma }, { projectId }),
    job: () => getJob(database, at(0)),
    events: () => listEvents({ prisma }, { ...at(0), after: 0, limit: 100 }),
    changes: () => getChanges({ prisma }, at(0)),
    transcript: () => listTranscript({ prisma }, { ...at(0), after: '0.-1', limit: 50 }),
    'projects of a user': () => listOwnProjects({ prisma }, { userId: 'usr_1', isAdmin: false }),
    'projects of an admin': () => listOwnProjects({ prisma }, { userId: 'usr_1', isAdmin: true }),
    members: () => listMembers({ prisma }, { projectId, userId: 'usr_1', withInvitations: true }),
    settings: () => getProjectSettings(deps, projectId),
    'setup guide': () => getSetupProgress({ prisma }, projectId),
    'monthly spend': () => readMonthlySpend(prisma, { projectId, instanceBudgetUsd: null }),
    'operations page': () => getOpsState(deps, { version: '1', backend: 'postgres' }),
    session: () => getSessionUser({ prisma }, '1 1'),
    sessions: () => listSessions({ prisma }, { userId: 'usr_1', sessionId: '' }),
    'old sessions': () => forgetOldSessions({ prisma }, { userId: 'usr_1' }),
    'sign-in attempt': () => takeSignInTry({ prisma, authKey: key } as never, subject),
    'sign-in': () => forgetSignInTries({ prisma, authKey: key } as never, subject),
    creation: create,
    'repeated creation': create,
    'job with a branch name': () => {
      const request = { prompt: 'x', branch: 'b57' }
      return createJob({ ...deps, audit }, { projectId, request, idempotencyKey: null, adaptBranch: true })
    },
    claim: async () => {
      held = await claimNextRun()
    },
    turn: () => {
      const spend = { spentUsd: 1, instanceBudgetUsd: 1000 }
      return saveTurn({ prisma }, held, { rows: [], files: [], events: [], usage, ...spend })
    },
    'last reads of sources': async () => {
      for (const repositoryUrl of ['https://github.com/acme/code', 'https://github.com/acme/never-read']) {
        await findLastRead(prisma, { projectId, jobId: held.jobId, repositoryUrl, ref: 'main' })
      }
    },
    end: () => finishRun({ prisma }, held, { kind: 'no_changes', summary: '', checks: [] }),
    retry: () => retryJob({ ...deps, audit }, { ...at(1), idempotencyKey: null }),
    'follow-up': () =>
      sendMessage({ ...deps, audit }, { ...at(2), request: { prompt: 'More.' }, idempotencyKey: null }),
    'follow-up claim': claimNextRun,
    'open work': () => findOpenWork({ prisma }),
    sweep: () => sweepRuns({ ...deps, projectConcurrency: 2, maxAttempts: 3 }),
    "Git host's event": () =>
      wakePullRequests(
        { prisma },
        {
          repositoryUrl: 'https://github.com/acme/docs',
          numbers: [3],
          branches: ['b6'],
          commits: ['c9'],
        },
      ),
    'pull request poll': () => claimPullRequestPoll({ prisma }),
    deployments: () => listDeployments({ prisma }, list),
    'deployment of a merge': () => ensureMergeDeployment({ prisma }, { projectId, jobId: at(3).id }),
    deployment: () => createDeployment({ prisma, audit }, { projectId, jobId: null, trigger: 'api' }),
    'deployment of a preview': () =>
      createDeployment({ prisma, audit }, { projectId, jobId: null, trigger: 'api', previewBranch: 'b' }),
    'deployment claim': () => claimDeployment({ ...deps, ...lease }, lease),
    'deployment clean-up': () => forgetDeployments({ prisma }),
    deliveries: () => listDeliveries({ prisma }, { ...list, id: 'whe_1' }),
    'deliveries with a status': () => listDeliveries({ prisma }, { ...list, id: 'whe_1', status: 'failed' }),
    'delivery claim': () =>
      claimDeliveries(
        { prisma, webhookKey: key, endpointConcurrency: 5, projectConcurrency: 5, maxTries: 5, leaseSeconds: 20 },
        { owner: 'test', limit: 5 },
      ),
    'webhook clean-up': async () => [await failHopeless({ prisma }, { maxTries: 5 }), await forgetEvents({ prisma })],
    'connection check': () => createConnectionCheck({ prisma, audit }, projectId),
    'connection check claim': () => claimConnectionCheck(deps, lease),
    'retention without expired rows': () =>
      removeExpired({ prisma }, { transcriptDays: 3650, jobDays: 3650, auditDays: 3650 }),
    'retention of transcripts': () => removeExpired({ prisma }, { transcriptDays: 40, jobDays: null, auditDays: null }),
    'retention of jobs': () => removeExpired({ prisma }, { transcriptDays: null, jobDays: 40, auditDays: null }),
    "retention of a project's transcripts": async () => {
      await prisma.project.update({ where: { id: 'prj_2' }, data: { retainTranscriptDays: 40 } })
      await removeExpired({ prisma }, { transcriptDays: null, jobDays: null, auditDays: null })
    },
    "retention of a project's jobs": async () => {
      await prisma.project.update({ where: { id: 'prj_2' }, data: { retainTranscriptDays: null, retainJobDays: 40 } })
      await removeExpired({ prisma }, { transcriptDays: null, jobDays: null, auditDays: null })
    },
    'retention of audit events': async () => {
      await prisma.project.update({ where: { id: 'prj_2' }, data: { retainJobDays: null } })
      await removeExpired({ prisma }, { transcriptDays: null, jobDays: null, auditDays: 90 })
    },
    'audit log of a project': () => listAuditEvents({ prisma }, { projectId, limit: 50 }),
    'audit log, filtered': () => listAuditEvents({ prisma }, { projectId: null, action: 'job.created', limit: 50 }),
    'audit log of an actor': () => listAuditEvents({ prisma }, { projectId: null, actor: 'usr_1', limit: 50 }),
    'audit log': () => listAuditEvents({ prisma }, { projectId: null, limit: 50 }),
    'sign-in link': () => takeSignInLink({ prisma, authKey: key }, 'x'),
    'new sign-in link': () => createSignInLink({ prisma, audit, authKey: key }, { email: '5@example.com' }),
    'failed sign-in': () => recordFailedSignIn({ prisma, audit: COMMAND_LINE }, { email: 'a@example.com' }),
    'deletion of a job': () => deleteJob({ prisma, audit }, at(4)),
    'deletion of a project': () => deleteProject({ prisma, audit }, { projectId: 'prj_3', name: 'test' }),
    'batch of a deleted project': () => removeDeletedProjects({ prisma }),
    'further batches': async () => {
      while (await removeDeletedProjects({ prisma }));
    },
  }
}
