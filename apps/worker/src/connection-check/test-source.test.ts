import type { ProjectSource } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import {
  deleteGitCredential,
  deleteSourceCredential,
  saveGitCredential,
  saveSourceCredential,
} from '@corrigenda/core/credentials'
import { deriveSecrets } from '@corrigenda/core/instance'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { WorkerConfig } from '../config/config.ts'
import { openTestService, type TestService } from '../e2e/test-support/open-test-service.ts'
import { checkProjectConnection } from './check-connection.ts'

const FULL = 'acme/api'
const PUBLIC = 'acme/library'
const ALL = { contents: 'read', pull_requests: 'read' } as const

let service: TestService
let deps: Parameters<typeof saveSourceCredential>[0] & Parameters<typeof updateProjectSettings>[0]

beforeAll(async () => {
  service = await openTestService('postgres', { files: { 'index.md': '# Docs\n' } })
  const { host, config, database } = service
  const files = new Map(['src/export.ts', 'src/import.ts', 'README.md'].map((path) => [path, { data: 'x\n' }]))
  await host.createRepository(FULL, { commits: [{ message: 'feat: export', files }] })
  await host.createRepository(PUBLIC, { commits: [{ message: 'feat: export', files }] })
  host.makePublic(PUBLIC)
  await host.createRepository('acme/new', { commits: [] })
  deps = {
    prisma: database.prisma,
    audit: COMMAND_LINE,
    ...deriveSecrets(config.secret),
    allowedRepositoryHosts: config.allowedRepositoryHosts,
    allowedHookHosts: [],
  }
})
afterEach(async () => {
  service.host.clearFaults()
  await deleteGitCredential(deps, service.project.id)
  await deleteSourceCredential(deps, { projectId: service.project.id, source: 'api' })
})
afterAll(async () => {
  const writes = service.host.requests.filter(
    ({ op, path }) =>
      /acme\/(?:api|library|new)\b/.test(path) && /^(?:pulls\.create|git\.(?:advertisePush|push))$/.test(op),
  )
  expect(writes).toEqual([])
  await service.close()
})

const saveToken = (token: string) => saveSourceCredential(deps, { projectId: service.project.id, source: 'api', token })

/** Saves a source, by default `acme/api`, without its token. */
async function save({ full = FULL, ...some }: Partial<Omit<ProjectSource, 'name'>> & { full?: string } = {}) {
  const source = { name: 'api', repository: service.host.repositoryUrl(full), ref: null, paths: [], quotable: [] }
  const change = { sources: [{ ...source, visibility: null, cite: null, ...some }] }
  await updateProjectSettings(deps, { projectId: service.project.id, change })
}

async function check(config: Partial<WorkerConfig> = {}) {
  const result = await checkProjectConnection({ ...service.config, ...config }, service.database, service.project.id)
  const step = result.steps.find(({ source }) => source === 'api')
  expect(step).toMatchObject({ name: 'source', source: 'api' })
  return { ok: result.ok, missing: result.missing, steps: result.steps, step, message: step?.message ?? '' }
}

test('checks every source after the documentation repository', async () => {
  const api = { name: 'api', repository: service.host.repositoryUrl(FULL), ref: 'main', paths: ['src/**'] }
  const web = { ...api, name: 'web', repository: service.host.repositoryUrl('acme/absent') }
  const rest = { visibility: null, cite: null, quotable: [] }
  const change = {
    sources: [
      { ...api, ...rest },
      { ...web, ...rest },
    ],
  }
  await updateProjectSettings(deps, { projectId: service.project.id, change })
  const { ok, steps, missing } = await check()
  expect([ok, missing]).toEqual([false, []])
  expect(steps.slice(0, 10).every(({ source }) => source === undefined)).toBe(true)
  expect(steps.slice(10)).toEqual([
    {
      name: 'source',
      source: 'api',
      status: 'passed',
      message: 'Jobs can read acme/api at main. The repository is private. 2 files match its paths.',
    },
    {
      name: 'source',
      source: 'web',
      status: 'failed',
      message: expect.stringMatching(/^The repository acme\/absent does not exist, or .* correct the URL\.$/),
    },
  ])
})

test.each([
  [{ full: FULL }, 'passed', 'The repository is private.'],
  [{ full: FULL, visibility: 'private' }, 'passed', 'The repository is private.'],
  [{ full: FULL, visibility: 'public' }, 'failed', 'The repository is private, but its text may be published'],
  [{ full: PUBLIC }, 'passed', 'The repository is public.'],
  [{ full: PUBLIC, visibility: 'private' }, 'passed', 'is public, but the source is set to private.'],
] as const)('reports the visibility of %j', async (source, status, message) => {
  await save(source)
  const found = await check()
  expect([found.ok, found.step?.status]).toEqual([true, status])
  expect(found.message).toContain(message)
  // Without paths, the files are not counted.
  expect(found.message).not.toContain('match')
})

test('a visibility that the host does not report counts as private', async () => {
  await save({ full: PUBLIC })
  const body = { full_name: PUBLIC, default_branch: 'main' }
  service.host.fault({ op: 'repos.get', kind: 'status', status: 200, body, match: PUBLIC })
  expect((await check()).message).toContain('does not report the visibility, and the source counts as private.')
})

test('fails for a missing branch and for a repository without commits', async () => {
  await save({ ref: 'release' })
  expect(await check()).toMatchObject({
    ok: false,
    message: 'The branch release does not exist. Correct the branch of the source.',
  })
  await save({ full: 'acme/new' })
  expect((await check()).message).toBe(
    'The default branch main has no commits. Push a first commit, or remove the source.',
  )
})

test('warns if no file matches the paths, and does not fail if the files are not known', async () => {
  await save({ paths: ['SRC/EXPORT.ts'] })
  expect((await check()).message).toContain('1 file matches its paths.')
  await save({ paths: ['packages/**'] })
  const wrong = await check()
  expect(wrong).toMatchObject({ ok: true, step: { status: 'failed', optional: true } })
  expect(wrong.message).toMatch(
    /^No file matches the paths, .* Correct the paths of the source\. The repository is private/,
  )
  const truncated = { sha: '0'.repeat(40), url: '', tree: [], truncated: true }
  service.host.fault({ op: 'git.getTree', kind: 'status', status: 200, body: truncated })
  expect((await check()).step).toMatchObject({ status: 'passed', message: expect.not.stringContaining('match') })
  service.host.fault({ op: 'git.getTree', kind: 'status', status: 409 })
  expect((await check()).step).toMatchObject({ status: 'passed' })
})

test("uses the source's token, then the project's token, then the instance's credentials", async () => {
  await save()
  const elsewhere = () => service.host.addToken({ ...ALL, contents: 'write', pull_requests: 'write' }, ['acme/docs'])
  expect((await check()).step).toMatchObject({ status: 'passed' })
  await saveGitCredential(deps, { projectId: service.project.id, token: elsewhere() })
  expect(await check()).toMatchObject({ ok: false, message: expect.stringContaining('has no access to it') })
  await saveToken(service.host.addToken(ALL, [FULL]))
  expect((await check()).step).toMatchObject({ status: 'passed' })
  await saveToken(elsewhere())
  expect(await check()).toMatchObject({ ok: false, message: expect.stringContaining('has no access to it') })
})

test("does not use the instance's credentials for a repository that no admin chose", async () => {
  await save()
  const before = await check()
  await deps.prisma.$executeRaw`
    UPDATE projects SET settings = jsonb_set(settings, '{sources,0,mayUseInstanceCredential}', 'false')
    WHERE id = ${service.project.id}`
  const after = await check()
  expect([before.ok, after.ok]).toEqual([true, false])
  expect(after.message).toMatch(/no admin chose its repository\. Save a token for the source/)
  await saveToken(service.host.addToken(ALL, [FULL]))
  expect((await check()).ok).toBe(true)
})

test('reports missing permissions and invalid tokens, and no token', async () => {
  await save({ paths: ['src/**'] })
  const token = service.host.addToken({ contents: 'read' }, [FULL])
  await saveToken(token)
  const pulls = await check()
  expect(pulls).toMatchObject({ ok: true, missing: [], step: { status: 'failed', optional: true } })
  expect(pulls.message).toBe(
    'The credential cannot read pull requests, so jobs that name one fail. Grant it "Pull requests: read-only". The repository is private. 2 files match its paths.',
  )
  await saveToken(service.host.addToken({ pull_requests: 'read' }, [FULL]))
  const files = 'The credential cannot read the repository\'s files. Grant it "Contents: read-only".'
  expect(await check()).toMatchObject({ ok: false, missing: [], message: files })
  const wrong = `github_pat_${'0'.repeat(40)}`
  await saveToken(wrong)
  const rejected = await check()
  expect(rejected).toMatchObject({ ok: false, message: expect.stringContaining('wrong, expired or revoked') })
  expect(JSON.stringify([pulls, rejected])).not.toMatch(new RegExp(`${token}|${wrong}`))
})

test('fails if only the git protocol is refused', async () => {
  await save()
  service.host.fault({ op: '*', kind: 'status', status: 403, match: '/acme/api.git/', times: 10 })
  expect(await check()).toMatchObject({ ok: false, message: expect.stringContaining('"Contents: read-only"') })
})

test("reads the permissions of a GitHub App, and checks sources if the documentation repository's check fails", async () => {
  await save()
  const { id, privateKey } = service.host.app
  const github = { ...service.config.github, source: { kind: 'app', appId: id, privateKey } as const }
  service.host.setAppPermissions(ALL)
  expect(await check({ github })).toMatchObject({ ok: false, step: { status: 'passed' } })
  service.host.setAppPermissions({ contents: 'read' })
  expect((await check({ github })).message).toContain('"Pull requests: read-only"')
  service.host.setAppPermissions({ pull_requests: 'read' })
  expect((await check({ github })).message).toContain('"Contents: read-only"')
  service.host.setAppPermissions(ALL)
  service.host.fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 404, match: FULL, times: 2 })
  expect((await check({ github })).message).toMatch(/not installed on .*acme\/api\. Install it there/)
  service.host.archive('acme/docs', true)
  const archived = await check()
  service.host.archive('acme/docs', false)
  expect(archived.steps.slice(3, 10).every(({ status }) => status === 'skipped')).toBe(true)
  expect(archived.step).toMatchObject({ status: 'passed' })
})

test('reads an archived source, and refuses a host that is no longer allowed', async () => {
  await save()
  service.host.archive(FULL, true)
  expect((await check()).step).toMatchObject({ status: 'passed' })
  service.host.archive(FULL, false)
  const refused = await check({ allowedRepositoryHosts: ['elsewhere.example'] })
  expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('ALLOWED_REPOSITORY_HOSTS') })
})
