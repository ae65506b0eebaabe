import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createConnectionCheck, getConnectionCheck } from '@corrigenda/core/connection-checks'
import { deleteGitCredential, deleteGitHubApp, saveGitCredential, saveGitHubApp } from '@corrigenda/core/credentials'
import { deriveSecrets } from '@corrigenda/core/instance'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FULL, openTestService, type TestService } from '../e2e/test-support/open-test-service.ts'
import { type ConnectionResult, checkProjectConnection } from './check-connection.ts'

const ALL = [
  'host_allowed',
  'credential_present',
  'repository_reachable',
  'base_branch',
  'contents_read',
  'push_allowed',
]
let service: TestService
let deps: { prisma: TestService['database']['prisma']; credentialKey: Buffer; deployTargetKey: Buffer }
let before: { refs: string; pulls: number }
/** The environment has no credential. Tests save a credential if they need one. */
const toGithub = () => ({ ...service.config.github, source: null })

beforeAll(async () => {
  const workflow = 'on:\n  workflow_dispatch:\n'
  service = await openTestService('postgres', {
    files: { 'index.md': '# Docs\n', '.github/workflows/docs.yml': workflow },
  })
  const { credentialKey, deployTargetKey } = deriveSecrets(service.config.secret)
  deps = { prisma: service.database.prisma, credentialKey, deployTargetKey }
  before = { refs: await service.host.git(FULL, 'for-each-ref'), pulls: service.host.pulls(FULL).length }
})
afterEach(async () => {
  service.host.clearFaults()
  await update({ baseBranch: null, deployTarget: null })
  await deleteGitCredential({ ...deps, audit: COMMAND_LINE }, service.project.id)
  await deleteGitHubApp({ ...deps, audit: COMMAND_LINE })
})
afterAll(async () => {
  // The check must not change the repository.
  expect(await service.host.git(FULL, 'for-each-ref')).toBe(before.refs)
  expect(service.host.pulls(FULL)).toHaveLength(before.pulls)
  expect(service.host.workflowRuns(FULL)).toEqual([])
  expect(service.host.stats().operations['git.push']).toBeUndefined()
  await service.close()
})

const update = (change: Parameters<typeof updateProjectSettings>[1]['change']) =>
  updateProjectSettings(
    { ...deps, audit: COMMAND_LINE, allowedRepositoryHosts: [], allowedHookHosts: [] },
    { projectId: service.project.id, change },
  )

async function run(token?: string): Promise<ConnectionResult & { failures: string[] }> {
  const projectId = service.project.id
  if (token) await saveGitCredential({ ...deps, audit: COMMAND_LINE }, { projectId, token })
  const found = await checkProjectConnection({ ...service.config, github: toGithub() }, service.database, projectId)
  expect(found.steps).toHaveLength(10)
  return { ...found, failures: found.steps.filter((step) => step.status === 'failed').map((step) => step.name) }
}

const statusOf = (done: ConnectionResult, name: string) => done.steps.find((step) => step.name === name)?.status
const messageOf = (done: ConnectionResult, name: string) => done.steps.find((step) => step.name === name)?.message

test('a worker passes every step with a classic token whose owner has write access', async () => {
  const projectId = service.project.id
  await saveGitCredential({ ...deps, audit: COMMAND_LINE }, { projectId, token: service.host.token })
  const worker = await service.startWorker({ github: toGithub() })
  const id = await createConnectionCheck({ ...deps, audit: COMMAND_LINE }, projectId)
  const read = () => getConnectionCheck(deps, { projectId, id })
  await expect.poll(async () => (await read()).status).toBe('done')
  await worker.close()
  const done = await read()
  expect(done).toMatchObject({ ok: true, missing: [] })
  expect(done.steps.map(({ status }) => status)).toEqual([...Array(8).fill('passed'), 'skipped', 'passed'])
})

test('passes with a fine-grained token that suffices for jobs and reports that it cannot read check runs', async () => {
  const done = await run(service.host.addToken({ contents: 'write', pull_requests: 'write', statuses: 'read' }))
  expect(done).toMatchObject({ ok: true, missing: [], failures: [] })
  expect(messageOf(done, 'checks_read')).toContain('GitHub App')
})

test.each([
  [
    { contents: 'read' },
    ['push_allowed', 'pull_requests_write', 'checks_read'],
    ['Contents: read and write', 'Pull requests: read and write', 'Commit statuses: read-only'],
  ],
  [
    { contents: 'write', pull_requests: 'read', statuses: 'read' },
    ['pull_requests_write'],
    ['Pull requests: read and write'],
  ],
  [{ pull_requests: 'write', statuses: 'read' }, ['contents_read', 'push_allowed'], ['Contents: read and write']],
] as const)(
  'reports the missing permissions of a fine-grained token with %j',
  async (permissions, failures, missing) => {
    const done = await run(service.host.addToken(permissions))
    expect(done).toMatchObject({ ok: false, failures, missing })
  },
)

test('lists missing optional permissions and still passes', async () => {
  const done = await run(service.host.addToken({ contents: 'write', pull_requests: 'write' }))
  expect(done).toMatchObject({ ok: true, failures: ['checks_read'], missing: ['Commit statuses: read-only'] })
})

test('fails for a token limited to a different repository, an invalid token and a missing token', async () => {
  await service.host.createRepository('acme/other', { commits: [] })
  const elsewhere = await run(service.host.addToken({ contents: 'write', pull_requests: 'write' }, ['acme/other']))
  expect(elsewhere).toMatchObject({ ok: false, failures: ['repository_reachable'], missing: ['Repository access'] })
  expect(statusOf(elsewhere, 'push_allowed')).toBe('skipped')
  const wrong = await run(`github_pat_${'0'.repeat(40)}`)
  expect(wrong).toMatchObject({ ok: false, failures: ['repository_reachable'], missing: [] })
  expect(messageOf(wrong, 'repository_reachable')).toContain('wrong, expired or revoked')
  await deleteGitCredential({ ...deps, audit: COMMAND_LINE }, service.project.id)
  const none = await run()
  expect(none).toMatchObject({ ok: false, failures: ['credential_present'], missing: [] })
  expect(messageOf(none, 'credential_present')).toContain('Save an access token')
})

test('fails for a missing base branch, a read-only repository and an archived one', async () => {
  await update({ baseBranch: 'next' })
  const branch = await run(service.host.token)
  expect(branch).toMatchObject({ ok: false, failures: ['base_branch'] })
  expect(messageOf(branch, 'base_branch')).toContain('branch next does not exist')
  await update({ baseBranch: 'main' })
  service.host.setReadOnly(FULL, true)
  const reader = await run()
  service.host.setReadOnly(FULL, false)
  expect(reader.failures).toEqual(['push_allowed', 'pull_requests_write'])
  service.host.archive(FULL, true)
  expect((await run()).failures).toEqual(['repository_reachable'])
  service.host.archive(FULL, false)
})

test('tests the permission to start workflows, without starting any, only for a workflow deploy target', async () => {
  await update({ deployTarget: { kind: 'workflow_dispatch', workflow: 'docs.yml' } })
  const jobs = { contents: 'write', pull_requests: 'write', statuses: 'read' } as const
  expect(await run(service.host.addToken(jobs))).toMatchObject({
    ok: false,
    failures: ['actions_write'],
    missing: ['Actions: read and write'],
  })
  expect(await run(service.host.addToken({ ...jobs, actions: 'read' }))).toMatchObject({ failures: ['actions_write'] })
  expect(await run(service.host.addToken({ ...jobs, actions: 'write' }))).toMatchObject({ ok: true, failures: [] })
  await update({ deployTarget: { kind: 'workflow_dispatch', workflow: 'other.yml' } })
  expect(messageOf(await run(), 'actions_write')).toContain('workflow other.yml does not exist')
})

test("reads a GitHub App's permissions", async () => {
  const { id: appId, privateKey } = service.host.app
  const htmlUrl = `${service.host.url}/apps/corrigenda`
  const secrets = { privateKey, clientId: null, webhookSecret: null, clientSecret: null }
  await saveGitHubApp(
    { ...deps, audit: COMMAND_LINE },
    {
      app: { appId, slug: 'corrigenda', name: 'Corrigenda', htmlUrl, ...secrets },
    },
  )
  const whole = {
    contents: 'write',
    pull_requests: 'write',
    checks: 'read',
    statuses: 'read',
    actions: 'write',
  } as const
  service.host.setAppPermissions(whole)
  await update({ deployTarget: { kind: 'workflow_dispatch', workflow: 'docs.yml' } })
  expect(await run()).toMatchObject({ ok: true, missing: [], failures: [] })
  service.host.setAppPermissions({ contents: 'read', pull_requests: 'read' })
  expect(await run()).toMatchObject({
    ok: false,
    failures: ['push_allowed', 'pull_requests_write', 'checks_read', 'actions_write'],
    missing: [
      'Contents: read and write',
      'Pull requests: read and write',
      'Checks: read-only',
      'Commit statuses: read-only',
      'Actions: read and write',
    ],
  })
  service.host.setAppPermissions({ pull_requests: 'write', checks: 'read', statuses: 'read', actions: 'write' })
  const blind = await run()
  expect(blind).toMatchObject({ ok: false, failures: ['contents_read', 'push_allowed'] })
  expect(statusOf(blind, 'base_branch')).toBe('skipped')
  service.host.fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 404 })
  const absent = await run()
  expect(absent.failures).toEqual(['credential_present'])
  expect(messageOf(absent, 'credential_present')).toContain('is not installed')
})

test('fails if the Git host is not allowed or returns an error', async () => {
  const id = service.project.id
  await deps.prisma.$executeRaw`UPDATE projects SET repository_url = 'https://elsewhere.example/a/b' WHERE id = ${id}`
  expect((await run()).failures).toEqual([ALL[0]])
  await deps.prisma
    .$executeRaw`UPDATE projects SET repository_url = ${service.host.repositoryUrl(FULL)} WHERE id = ${id}`
  service.host.fault({ op: 'repos.getBranch', kind: 'status', status: 400 })
  const done = await run(service.host.token)
  expect(done.failures).toContain('base_branch')
  expect(JSON.stringify(done)).not.toContain(service.host.token)
})

test('warns about workflows that run with secrets on the branches of jobs', async () => {
  const done = await run(service.host.token)
  expect([done.ok, statusOf(done, 'workflow_secrets')]).toEqual([true, 'passed'])
  const text = 'on: push\njobs:\n  a:\n    steps:\n      - uses: a/b@v1\n        secrets: inherit\n'
  const files = new Map([['.github/workflows/preview.yml', { data: text }]])
  await service.host.pushCommit(FULL, 'main', { files, message: 'ci: preview' })
  before.refs = await service.host.git(FULL, 'for-each-ref')
  const warned = await run(service.host.token)
  expect([warned.ok, statusOf(warned, 'workflow_secrets')]).toEqual([true, 'failed'])
  expect(messageOf(warned, 'workflow_secrets')).toMatch(
    /before a review: preview\.yml\. Exclude the branches corrigenda\/\*\*/,
  )
})
