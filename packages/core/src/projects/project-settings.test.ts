import { DEFAULT_PROJECT_BUDGETS, DEFAULT_PROJECT_POLICY, UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { type AuditContext, COMMAND_LINE } from '../audit/audit-context.ts'
import { saveGitCredential } from '../credentials/git-credential.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { type CreateJobDeps, createJob } from '../jobs/create-job.ts'
import { retryJob } from '../jobs/retry-job.ts'
import { releaseRun } from '../runs/release-run.ts'
import { startRun } from '../runs/start-run.ts'
import { claim, createTestRun, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { getProjectSettings } from './get-project-settings.ts'
import { toRunSettings } from './run-settings.ts'
import { updateProjectSettings } from './update-project-settings.ts'

const BY_ADA: AuditContext = { ...COMMAND_LINE, actor: { type: 'user', id: 'usr_1', name: 'Ada' } }

function open() {
  const database = openTestDatabase(10)
  const deps = {
    ...database,
    audit: BY_ADA,
    allowedRepositoryHosts: ['github.com', 'git.example.com'],
    allowedHookHosts: [],
    credentialKey: Buffer.alloc(32, 3),
    deployTargetKey: Buffer.alloc(32, 9),
  }
  const update = (projectId: string, change: unknown) =>
    updateProjectSettings(deps, { projectId, change: UpdateProjectSettings.parse(change) })
  return { database, deps, update }
}

test('starts with defaults, updates individual fields and restores a default with null', async () => {
  const { database, deps, update } = open()
  const { id } = await createTestProject(database)
  expect(await getProjectSettings(deps, id)).toEqual({
    name: 'test',
    repository: 'https://github.com/acme/docs',
    baseBranch: null,
    credential: expect.anything(),
    budgets: DEFAULT_PROJECT_BUDGETS,
    policy: DEFAULT_PROJECT_POLICY,
    sources: [],
    sourceCredentials: [],
    deployTarget: null,
    deployOnMerge: false,
    deleteBranchOnClose: false,
    previewUrlTemplate: null,
    monthlySpend: { month: expect.any(String), spentUsd: 0, budgetUsd: null, endsAt: expect.any(String) },
    retention: { transcriptDays: null, jobDays: null },
    changedAt: null,
    changedBy: null,
  })
  await update(id, { budgets: { maxTurns: 7 }, policy: { draft: true, labels: ['docs'] } })
  const after = await update(id, { name: 'New', baseBranch: 'next', policy: { maxFiles: 3, labels: null } })
  expect(after).toMatchObject({
    name: 'New',
    baseBranch: 'next',
    changedBy: 'Ada',
    budgets: { ...DEFAULT_PROJECT_BUDGETS, maxTurns: 7 },
    policy: { ...DEFAULT_PROJECT_POLICY, draft: true, maxFiles: 3 },
  })
  const kept = await update(id, { retention: { transcriptDays: 30 } })
  expect(kept.retention).toEqual({ transcriptDays: 30, jobDays: null })
  expect((await update(id, { retention: { jobDays: 60 } })).retention).toEqual({ transcriptDays: 30, jobDays: 60 })
  expect((await update(id, { retention: null })).retention).toEqual({ transcriptDays: null, jobDays: null })
  expect(Date.parse(after.changedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  // Only values that differ from the defaults are stored, so that all other fields use the defaults
  // of later versions.
  const { settings } = await database.prisma.project.findUniqueOrThrow({ where: { id } })
  expect(settings).toEqual({ budgets: { maxTurns: 7 }, policy: { draft: true, maxFiles: 3 } })
  const more = { locales: ['de', 'pt-BR'], codeownersReviewers: true, maxOpenPullRequests: 4, dedupe: true }
  expect((await update(id, { policy: more })).policy).toMatchObject(more)
  expect(await update(id, { budgets: null, policy: null })).toMatchObject({
    budgets: DEFAULT_PROJECT_BUDGETS,
    policy: DEFAULT_PROJECT_POLICY,
  })
})

test('keeps concurrent changes to different fields', async () => {
  const { database, deps, update } = open()
  const { id } = await createTestProject(database)
  const fields = ['maxTurns', 'maxSeconds', 'maxOutputTokens', 'maxInputTokens'] as const
  await Promise.all(fields.map((field) => update(id, { budgets: { [field]: field === 'maxTurns' ? 9 : 2000 } })))
  expect((await getProjectSettings(deps, id)).budgets).toEqual({
    maxTurns: 9,
    maxSeconds: 2000,
    maxOutputTokens: 2000,
    maxInputTokens: 2000,
    maxCostUsd: null,
  })
})

test('hides the deploy hook URL and rejects an invalid repository or hook', async () => {
  const { database, deps, update } = open()
  const { id } = await createTestProject(database)
  const url = 'https://hooks.example.com/secret-path'
  const shown = await update(id, { deployTarget: { kind: 'hook', url }, deployOnMerge: true })
  expect(shown).toMatchObject({ deployTarget: { kind: 'hook', host: 'hooks.example.com' }, deployOnMerge: true })
  expect(JSON.stringify(shown)).not.toContain('secret-path')
  const target = { kind: 'workflow_dispatch', workflow: 'docs.yml' }
  expect((await update(id, { deployTarget: target })).deployTarget).toEqual(target)
  const previewUrlTemplate = 'https://{branchSlug}.example.com'
  expect(await update(id, { previewUrlTemplate })).toMatchObject({ previewUrlTemplate, deployOnMerge: true })
  const change = { previewUrlTemplate: 'https://a.example/' }
  await expect(updateProjectSettings(deps, { projectId: id, change })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('URL for previews must contain'),
  })
  expect(await update(id, { previewUrlTemplate: null })).toMatchObject({ previewUrlTemplate: null })
  expect(await update(id, { deployTarget: null, deployOnMerge: null })).toMatchObject({
    deployTarget: null,
    deployOnMerge: false,
  })
  await expect(update(id, { repository: 'https://evil.example/a/b' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await expect(update(id, { deployTarget: { kind: 'hook', url: 'http://10.0.0.1/' } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await expect(update('prj_none', { name: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(getProjectSettings(deps, 'prj_none')).rejects.toMatchObject({ code: 'not_found' })
})

test('deletes the token when the repository moves to another host', async () => {
  const { database, deps, update } = open()
  const { id } = await createTestProject(database)
  await saveGitCredential(deps, { projectId: id, token: 'github_pat_0123456789abcd' })
  expect((await update(id, { repository: 'https://github.com/acme/other' })).credential).toMatchObject({
    kind: 'token',
    lastFour: 'abcd',
    savedBy: 'Ada',
  })
  expect((await update(id, { repository: 'https://git.example.com/acme/other' })).credential.kind).not.toBe('token')
})

test.each([
  { unknown: 1 },
  { policy: { unknown: 1 } },
  { policy: { writable: [] } },
  { policy: { locales: 'none' } },
  { policy: { locales: [] } },
  { policy: { locales: ['french'] } },
  { policy: { codeownersReviewers: 'yes' } },
  { policy: { maxOpenPullRequests: 0 } },
  { policy: { dedupe: 1 } },
  { policy: { writable: ['/docs/**'] } },
  { policy: { writable: ['!docs/**'] } },
  { policy: { forbidden: ['docs/../..'] } },
  { policy: { forbidden: ['{docs'] } },
  { policy: { forbidden: Array.from({ length: 51 }, () => 'a') } },
  { policy: { maxFiles: 51 } },
  { policy: { maxLines: 5001 } },
  { policy: { branchPrefix: 'a..b/' } },
  { policy: { branchPrefix: '-x/' } },
  { policy: { titlePattern: 'Docs' } },
  { policy: { titlePattern: '{title} {who}' } },
  { policy: { titlePattern: '{title} {' } },
  { policy: { titlePattern: '{title}\nsecond line' } },
  { policy: { reviewers: ['@ada'] } },
  { policy: { reviewers: ['a/b/c'] } },
  { policy: { labels: ['a\u0007'] } },
  { policy: { instructions: 'x'.repeat(8001) } },
  { policy: { model: 'a model' } },
  { budgets: { maxTurns: 0 } },
  { budgets: { maxCostUsd: -1 } },
  { budgets: { maxSeconds: 1.5 } },
  { deployTarget: { kind: 'shell' } },
  { baseBranch: 'a b' },
])('rejects the change %j', (change) => {
  expect(UpdateProjectSettings.safeParse(change).success).toBe(false)
})

test('rejects stored settings with an unknown shape', () => {
  // During an update, the request can be repeated and reaches a process of the newer version.
  expect(() => toRunSettings({ policy: { quarantine: true } })).toThrow(
    expect.objectContaining({
      code: 'service_unavailable',
      message: expect.stringContaining('does not support a stored project setting'),
    }),
  )
  expect(() => toRunSettings({ budgets: { maxTurns: 'many' } })).toThrow(/budgets.maxTurns/)
})

test('uses the settings from the first claim for the whole run, even if it is resumed', async () => {
  const { database, update } = open()
  const { projectId, runId } = await createTestRun(database)
  await update(projectId, { budgets: { maxTurns: 5 } })
  const first = await claim(database, runId)
  expect(toRunSettings(first?.settings).budgets.maxTurns).toBe(5)
  await update(projectId, { budgets: { maxTurns: 9 } })
  await releaseRun(database, first!, { reason: 'shutdown', afterMs: null })
  const second = await claim(database, runId)
  expect(second?.attempt).toBe(2)
  expect(toRunSettings(second?.settings).budgets.maxTurns).toBe(5)
  await expect(database.prisma.$executeRaw`UPDATE runs SET settings = '{}' WHERE id = ${runId}`).rejects.toThrow(
    /pinned/,
  )
  const { runId: next } = await createTestRun(database, projectId)
  expect(toRunSettings((await claim(database, next))?.settings).budgets.maxTurns).toBe(9)
})

test("uses the repository's policy from the start of the run, even if it is resumed", async () => {
  const { database } = open()
  const { runId, jobId } = await createTestRun(database)
  const first = await claim(database, runId)
  expect(first?.policyFiles).toEqual([])
  const policyFiles = [{ path: '.corrigenda.yml', blob: 'b1', policy: { maxFiles: 3, draft: true as const } }]
  await startRun(database, first!, { baseBranch: 'main', baseCommit: '1', branch: 'b', policyFiles })
  await releaseRun(database, first!, { reason: 'shutdown', afterMs: null })
  expect((await claim(database, runId))?.policyFiles).toEqual(policyFiles)
  for (const changed of ['[]', null]) {
    const change = database.prisma.$executeRaw`UPDATE runs SET policy_files = ${changed}::jsonb WHERE id = ${runId}`
    await expect(change).rejects.toThrow(/pinned/)
  }
  const event = await database.prisma.jobEvent.findFirst({ where: { jobId, type: 'policy.read' } })
  expect(event?.data).toEqual({ path: '.corrigenda.yml', blob: 'b1' })
  // Rules from a later version must not be ignored.
  const other = await createTestRun(database)
  await database.prisma.$executeRaw`
    UPDATE runs SET policy_files = '[{"path": "p", "blob": "b", "policy": {"unheardOf": 1}}]' WHERE id = ${other.runId}`
  expect(await claim(database, other.runId)).toBeNull()
})

test("uses the project's model for jobs that do not specify one", async () => {
  const { database, update } = open()
  const { id: projectId } = await createTestProject(database)
  await update(projectId, { policy: { model: 'm-project' } })
  const quota = { limit: 10, windowSeconds: 3600 }
  const deps = { ...database, queue: { wakeWorker: async () => {} }, log: silent, defaultModel: 'm-default', quota }
  const make = async (request: { prompt: string; model?: string }) =>
    (await createJob(deps, { projectId, request, idempotencyKey: null })).job.model
  expect(await make({ prompt: 'Fix.' })).toBe('m-project')
  expect(await make({ prompt: 'Fix.', model: 'm-asked' })).toBe('m-asked')
})

test('rejects a model that the service does not allow, in jobs, retries and settings', async () => {
  const { database, deps: settings, update } = open()
  const { id: projectId } = await createTestProject(database)
  const allowedModels = ['m-cheap', 'm-default']
  const quota = { limit: 10, windowSeconds: 3600 }
  const queue = { wakeWorker: async () => {} }
  const deps = { ...database, queue, log: silent, defaultModel: 'm-default', quota, allowedModels }
  const make = async (model: string | undefined, change: Partial<CreateJobDeps> = {}) => {
    const request = { prompt: 'Fix.', ...(model === undefined ? {} : { model }) }
    const { job } = await createJob({ ...deps, ...change }, { projectId, request, idempotencyKey: null })
    return job
  }
  const refusal = { code: 'invalid_request', message: expect.stringContaining('Use m-cheap, m-default, or omit') }
  expect(await make('m-cheap')).toMatchObject({ model: 'm-cheap' })
  expect(await make(undefined)).toMatchObject({ model: 'm-default' })
  await expect(make('m-dear')).rejects.toMatchObject(refusal)
  const { id } = await make('m-dear', { allowedModels: null })
  await cancelJob(deps, { projectId, id })
  await expect(retryJob(deps, { projectId, id, idempotencyKey: null })).rejects.toMatchObject(refusal)

  const save = (model: string) =>
    updateProjectSettings({ ...settings, allowedModels }, { projectId, change: { policy: { model } } })
  await expect(save('m-dear')).rejects.toMatchObject(refusal)
  expect((await save('m-cheap')).policy.model).toBe('m-cheap')
  await update(projectId, { policy: { model: 'm-dear' } })
  await expect(make(undefined)).rejects.toMatchObject(refusal)
})
