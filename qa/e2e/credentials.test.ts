import { type AllowedHosts, toRepositoryAddress } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import {
  deleteGitCredential,
  deleteGitHubApp,
  saveGitCredential,
  saveGitHubApp,
  saveSourceCredential,
} from '@corrigenda/core/credentials'
import { createDeployment, getDeployment } from '@corrigenda/core/deployments'
import { deriveSecrets } from '@corrigenda/core/instance'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { hideInLog, openLog } from '@corrigenda/core/runtime'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { buildGitHub } from '@corrigenda/worker/internal/git-host/github/build-github'
import { buildProjectCredentials } from '@corrigenda/worker/internal/git-host/project-credentials'
import { afterAll, beforeAll, expect, test } from 'vitest'

let service: TestService
let deps: {
  prisma: TestService['database']['prisma']
  credentialKey: Buffer
  allowedRepositoryHosts: AllowedHosts
}
let pages = 0

beforeAll(async () => {
  service = await openTestService('postgres')
  const { credentialKey } = deriveSecrets(service.config.secret)
  const { allowedRepositoryHosts } = service.config
  deps = { prisma: service.database.prisma, credentialKey, allowedRepositoryHosts }
  await service.startWorker({ github: { ...service.config.github, source: null } })
})
afterAll(() => service.close())

const work = async (projectId = service.project.id) => {
  pages += 1
  const { id } = await service.create(scriptPrompt(`Edit ${pages}.`, [editPage(pages, 'Changed.')]), {}, projectId)
  return service.ended(id, projectId)
}
const save = (token: string, projectId = service.project.id) =>
  saveGitCredential({ ...deps, audit: COMMAND_LINE }, { projectId, token })
const app = () => ({
  appId: service.host.app.id,
  slug: 'corrigenda',
  name: 'Corrigenda',
  htmlUrl: `${service.host.url}/apps/corrigenda`,
  privateKey: service.host.app.privateKey,
  clientId: null,
  webhookSecret: null,
  clientSecret: null,
})
const NEEDED = { contents: 'write', pull_requests: 'write', statuses: 'read' } as const

test('explains how to add a missing credential, and uses a saved credential without a restart', async () => {
  const failed = await work()
  expect(failed).toMatchObject({ status: 'failed', failure: { code: 'credential_missing' } })
  expect(failed.failure?.message).toContain('project settings')
  const token = service.host.addToken(NEEDED)
  await save(token)
  // Lookups are cached for 5 s.
  await expect.poll(async () => (await work()).outcome, { interval: 200 }).toBe('changed')
  const other = await service.addProject(FULL)
  expect((await work(other.id)).failure?.code).toBe('credential_missing')
  expect(service.lines.join('')).not.toContain(token)
})

test("uses the project's credential for deployments and pull request tracking", async () => {
  const { id } = await service.addProject(FULL)
  await save(service.host.addToken(NEEDED), id)
  const { deployTargetKey } = deriveSecrets(service.config.secret)
  const hosts = { allowedRepositoryHosts: [], allowedHookHosts: [], deployTargetKey }
  await updateProjectSettings(
    { ...deps, ...hosts, audit: COMMAND_LINE },
    {
      projectId: id,
      change: {
        deployTarget: { kind: 'repository_dispatch', eventType: 'docs' },
      },
    },
  )
  const { statusId } = await createDeployment(
    { ...deps, audit: COMMAND_LINE },
    { projectId: id, jobId: null, trigger: 'api' },
  )
  const find = () => getDeployment(deps, { projectId: id, statusId })
  await expect.poll(async () => (await find()).endedAt).not.toBeNull()
  expect(await find()).toMatchObject({ status: 'success' })
  const job = await work(id)
  await service.host.closePull(FULL, job.pullRequest?.number ?? 0, { merge: true })
  await deps.prisma.$executeRaw`UPDATE pull_request_watches SET next_look_at = now()`
  const state = async () => (await deps.prisma.job.findUniqueOrThrow({ where: { id: job.id } })).prState
  await expect.poll(state).toBe('merged')
})

test('opens pull requests as the GitHub App stored in the database if it is installed', async () => {
  const { id } = await service.addProject(FULL)
  await saveGitHubApp({ ...deps, audit: COMMAND_LINE }, { app: app() })
  const job = await work(id)
  expect(job.outcome).toBe('changed')
  const [pull] = service.host.pulls(FULL).filter((one) => one.number === job.pullRequest?.number)
  expect(pull?.author).toEqual({ login: 'corrigenda[bot]', type: 'Bot' })
  await deleteGitHubApp({ ...deps, audit: COMMAND_LINE })
})

test("prefers the project's credential, then the App if installed, then the environment", async () => {
  const { id } = await service.addProject(FULL)
  const repository = toRepositoryAddress(service.host.repositoryUrl(FULL))
  const lines: string[] = []
  const log = openLog({ level: 'info', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const secrets = new Set<string>()
  const { buildCredentials } = buildGitHub({ apiUrl: null, version: '0', retryBaseMs: 5 })
  const build = (source: { kind: 'token'; token: string } | null) =>
    buildProjectCredentials({ ...deps, log, source, buildCredentials, cacheMs: 0 }).forProject(id, (secret) =>
      secrets.add(secret),
    )
  const signal = new AbortController().signal
  const environment = build({ kind: 'token', token: 'environment-token' })
  const get = (credentials = environment) => credentials.getToken({ repository, access: 'read', signal })
  expect(await get()).toBe('environment-token')
  await saveGitHubApp({ ...deps, audit: COMMAND_LINE }, { app: app() })
  expect(await get()).toMatch(/^ghs_/)
  service.host.fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 404, times: 2 })
  const fresh = build({ kind: 'token', token: 'environment-token' })
  expect(await get(fresh)).toBe('environment-token')
  await expect(get(build(null))).rejects.toMatchObject({ code: 'installation_missing' })
  // A token for one host is not sent to any other host.
  const kept = (host: string) =>
    buildProjectCredentials({
      ...deps,
      log,
      buildCredentials,
      source: { kind: 'token', token: 't', host },
      cacheMs: 0,
    })
  const elsewhere = await service.addProject(FULL)
  await deleteGitHubApp({ ...deps, audit: COMMAND_LINE })
  await expect(get(kept('github.com').forProject(elsewhere.id))).rejects.toMatchObject({ code: 'credential_missing' })
  expect(await get(kept(repository.host).forProject(elsewhere.id))).toBe('t')
  // An App on a different Git host is not used.
  await saveGitHubApp(
    { ...deps, audit: COMMAND_LINE },
    { app: { ...app(), htmlUrl: 'https://github.com/apps/corrigenda' } },
  )
  expect(await get()).toBe('environment-token')
  const token = `github_pat_${'0123456789'.repeat(3)}`
  await save(token, id)
  expect(await get()).toBe(token)
  expect([...secrets]).toEqual([app().privateKey, token])
  log.child({ part: 'x' }).info({ text: `${token} ${app().privateKey}` }, 'logged by accident')
  expect(lines.join('')).not.toMatch(/github_pat_|BEGIN RSA/)
  await deps.prisma.$executeRaw`UPDATE git_credentials SET sealed_token = '\\x00' WHERE project_id = ${id}`
  await expect(get()).rejects.toMatchObject({ code: 'credential_missing', message: expect.stringContaining('again') })
  await deleteGitCredential({ ...deps, audit: COMMAND_LINE }, id)
  await deleteGitHubApp({ ...deps, audit: COMMAND_LINE })
  expect(await get()).toBe('environment-token')
})

test("a project's token neither redacts nor rejects texts of other projects, and does not affect the log", async () => {
  const other = await service.addProject(FULL)
  const words = 'Thischangeupdatesthe'
  await save(words, other.id)
  expect((await work(other.id)).failure?.code).toBe('git_host_unauthorized')
  // Every line of the log contains this text.
  await save('{"level":"info","time":"20', other.id)
  expect((await work(other.id)).failure?.code).toBe('git_host_unauthorized')
  const { id } = await service.addProject(FULL)
  await save(service.host.addToken(NEEDED), id)
  pages += 1
  const prompt = scriptPrompt('This change updates the guide.', [
    editPage(pages, `This change updates the guide. ${words}`),
  ])
  const job = await service.create(prompt, {}, id)
  const ended = await service.ended(job.id, id)
  expect(ended).toMatchObject({ status: 'completed', outcome: 'changed', failure: null })
  const [pull] = service.host.pulls(FULL).filter((one) => one.number === ended.pullRequest?.number)
  expect(pull?.body).toContain('This change updates the guide.')
  for (const line of service.lines) expect(() => JSON.parse(line)).not.toThrow()
})

test("reads a source with its own token, then the project's for the same host, then the instance's", async () => {
  const { id } = await service.addProject(FULL)
  const address = toRepositoryAddress(service.host.repositoryUrl('acme/api'))
  const other = toRepositoryAddress('https://git.example.com/acme/api')
  const secrets = new Set<string>()
  const { buildCredentials } = buildGitHub({ apiUrl: null, version: '0' })
  const source = { kind: 'token', token: 'environment-token' } as const
  const log = openLog({ level: 'silent', secrets: [] })
  const allowedRepositoryHosts = [address.host, other.host]
  const project = buildProjectCredentials({
    ...deps,
    allowedRepositoryHosts,
    log,
    source,
    buildCredentials,
    cacheMs: 0,
  }).forProject(id, (secret) => secrets.add(secret))
  const get = (mayUseInstanceCredential: boolean, repository = address) =>
    project
      .forSource({ name: 'api', mayUseInstanceCredential })
      .getToken({ repository, access: 'read', signal: new AbortController().signal })
  const untrusted = { code: 'credential_missing', message: expect.stringMatching(/no admin chose its repository/) }
  expect(await get(true)).toBe('environment-token')
  await expect(get(false)).rejects.toMatchObject(untrusted)
  await save('project-token-0123456789', id)
  expect([await get(true), await get(false)]).toEqual(['project-token-0123456789', 'project-token-0123456789'])
  // The project's token is not sent to another host, and neither is the instance's without an admin.
  expect(await get(true, other)).toBe('environment-token')
  await expect(get(false, other)).rejects.toMatchObject(untrusted)
  const api = { ref: null, paths: [], visibility: null, cite: null, quotable: [], name: 'api', repository: address.url }
  await updateProjectSettings(
    { ...deps, audit: COMMAND_LINE, allowedHookHosts: [], deployTargetKey: Buffer.alloc(32) },
    { projectId: id, change: { sources: [api] } },
  )
  const owned = { projectId: id, source: 'api', token: 'source-token-0123456789' }
  await saveSourceCredential({ ...deps, audit: COMMAND_LINE }, owned)
  expect([await get(true), await get(false)]).toEqual([owned.token, owned.token])
  await expect(get(true, other)).rejects.toMatchObject({ code: 'credential_missing' })
  expect(await project.getToken({ repository: address, access: 'read', signal: new AbortController().signal })).toBe(
    'project-token-0123456789',
  )
  expect([...secrets].sort()).toEqual(['project-token-0123456789', owned.token])
})

test('does not send a stored token to a Git host other than the one it was saved for', async () => {
  const { id } = await service.addProject(FULL)
  await save(service.host.addToken(NEEDED), id)
  await deps.prisma.$executeRaw`UPDATE git_credentials SET host = 'git.example.com' WHERE project_id = ${id}`
  const failed = await work(id)
  expect(failed.failure).toMatchObject({ code: 'credential_missing' })
  expect(failed.failure?.message).toContain('git.example.com')
})

test('caches a credential briefly, and rereads it when the host rejects it', async () => {
  const { id } = await service.addProject(FULL)
  const repository = toRepositoryAddress(service.host.repositoryUrl(FULL))
  const log = openLog({ level: 'silent', secrets: [] })
  hideInLog(log, 'nothing')
  const { buildCredentials } = buildGitHub({ apiUrl: null, version: '0' })
  const credentials = buildProjectCredentials({ ...deps, log, source: null, buildCredentials }).forProject(id)
  const get = (refused?: string) =>
    credentials.getToken({
      repository,
      access: 'read',
      signal: new AbortController().signal,
      ...(refused === undefined ? {} : { refused }),
    })
  await save('first-token-0123456789', id)
  expect(await get()).toBe('first-token-0123456789')
  await save('second-token-0123456789', id)
  expect(await get()).toBe('first-token-0123456789')
  expect(await get('first-token-0123456789')).toBe('second-token-0123456789')
  expect(await get()).toBe('second-token-0123456789')
})
