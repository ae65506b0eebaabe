import { buildCorrigenda } from '@corrigenda/client'
import type { AgentJob } from '@corrigenda/contracts'
import { UpdateProjectSettings } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createKey } from '@corrigenda/core/keys'
import { createProject, updateProjectSettings } from '@corrigenda/core/projects'
import { type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { editPage, FULL } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

type Client = ReturnType<typeof buildCorrigenda>
type Ending = { client: Client; job: AgentJob }

let service: Awaited<ReturnType<typeof openHostedService>>

/** Creates a project with these budgets, and a client with an API key for it. */
async function openProject(name: string, budgets: object): Promise<Client> {
  const { database, config } = service
  const { keyPepper, deployTargetKey } = deriveSecrets(config.secret)
  const deps = {
    audit: COMMAND_LINE,
    ...database,
    allowedRepositoryHosts: config.allowedRepositoryHosts,
    allowedHookHosts: [],
  }
  const { id: projectId } = await createProject(deps, {
    name,
    repository: service.host.repositoryUrl(FULL),
    baseBranch: null,
  })
  const change = UpdateProjectSettings.parse({ budgets })
  await updateProjectSettings({ ...deps, deployTargetKey }, { projectId, change })
  const { key } = await createKey(
    { audit: COMMAND_LINE, ...database, keyPepper },
    { projectId, name: 'e2e', scopes: ['jobs:read', 'jobs:write'], expiresInDays: null },
  )
  return buildCorrigenda({ baseUrl: service.url, apiKey: key, projectId, pollMs: 100 })
}

async function work(name: string, turns: readonly ScriptTurn[], budgets: object = {}): Promise<Ending> {
  const client = await openProject(name, budgets)
  const prompt = scriptPrompt(`${name}.`, turns, { id: name })
  return { client, job: await client.createJob({ prompt }).wait({ timeoutMs: 170_000 }) }
}

const view = (n: number): ScriptTurn => [
  { text: 'Looking. '.repeat(60) },
  { tool: 'view', input: { path: `page-${n}.mdx` } },
]
const VIEWS = Array.from({ length: 12 }, (_, n) => view(20 + n))
const finish = (input: Record<string, unknown>): ScriptTurn[] => [
  [{ tool: 'finish', input }],
  [{ tool: 'finish', input }],
]
const RANGES = [1, 61, 121].map((start) => ({
  tool: 'view',
  input: { path: 'long.md', view_range: [start, start + 59] },
}))

const QUESTION = 'Which page names the port?'

const jobs = new Map<string, Promise<Ending>>()
const ended = async (name: string): Promise<Ending> => {
  const found = jobs.get(name)
  if (!found) throw new Error(`no job ${name}`)
  return found
}

// All jobs run concurrently.
beforeAll(async () => {
  service = await openHostedService({ WORKER_CONCURRENCY: '10', MODEL_HARD_CONTEXT_TOKENS: '14000' })
  const long = Array.from({ length: 180 }, (_, n) => `${n} ${'word '.repeat(70)}`).join('\n')
  const files = new Map([['long.md', { data: `${long}\n` }]])
  await service.host.pushCommit(FULL, 'main', { message: 'docs: a long page', files })
  const start = (name: string, turns: readonly ScriptTurn[], budgets: object = {}) => {
    const job = work(name, turns, budgets)
    job.catch(() => {})
    jobs.set(name, job)
  }
  start('turns', [editPage(1, 'One.'), ...VIEWS], { maxTurns: 4 })
  // The second conversation fits in the context because the page no longer exists.
  start('continuation', [editPage(5, 'Five.'), [...RANGES, { tool: 'delete', input: { path: 'long.md' } }]])
  start('question', finish({ outcome: 'needs_input', reason: QUESTION }))
})
afterAll(() => service.close())

test('a job that exceeds a budget fails and keeps its changes', async () => {
  const { client, job } = await ended('turns')
  expect(job).toMatchObject({ status: 'failed', outcome: 'failed', prLink: null, pullRequest: null })
  expect(job.failure).toEqual({ code: 'budget_turns', message: expect.stringMatching(/4 turns/) })
  expect(job.source.ref).toBeNull()
  const changes = await client.getChanges(job.id)
  expect(changes).toMatchObject({
    headCommit: null,
    files: [{ path: 'page-1.mdx', status: 'modified', additions: 1, deletions: 1 }],
  })
  expect(await service.host.git(FULL, 'for-each-ref', `refs/heads/corrigenda/${job.id}`)).toBe('')
  expect(job.usage.turns).toBeGreaterThan(0)
  expect(job.usage.costUsd).toBeGreaterThan(0)
})

test('starts a new conversation when the context is full, and sums the usage of both', async () => {
  const { client, job } = await ended('continuation')
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', failure: null })
  const files = (await client.getChanges(job.id)).files.map(({ path, status }) => [path, status])
  expect(files).toEqual([
    ['long.md', 'removed'],
    ['page-5.mdx', 'modified'],
  ])
  const rows = await service.database.prisma.transcriptRow.findMany({ where: { run: { jobId: job.id } } })
  expect(new Set(rows.map(({ conversation }) => conversation))).toEqual(new Set([0, 1]))
  const replies = rows.filter(({ role }) => role === 'assistant')
  expect(job.usage.turns).toBe(replies.length)
  const reported = replies.reduce((sum, { usage }) => sum + Number(Object(usage).outputTokens), 0)
  expect(job.usage.outputTokens).toBe(reported)
})

test('completes the job with a question, continues it with the reply and adds up the usage', async () => {
  const { client, job } = await ended('question')
  expect(job).toMatchObject({ status: 'completed', outcome: 'needs_input', summary: QUESTION, prLink: null })
  const answer = scriptPrompt('The port is 8080; it is page 6.', [editPage(6, 'Port 8080.')])
  const continued = await client.sendMessage(job.id, answer).wait({ timeoutMs: 170_000 })
  expect(continued).toMatchObject({ id: job.id, status: 'completed', outcome: 'changed' })
  expect(continued.prLink).toMatch(/\/pull\/\d+$/)
  expect((await client.getChanges(job.id)).files).toMatchObject([{ path: 'page-6.mdx', status: 'modified' }])
  expect(continued.usage.turns).toBe(job.usage.turns + 3)
  expect(continued.usage.costUsd).toBeGreaterThan(job.usage.costUsd ?? 0)
})

test('sends the model only valid requests, each of which extends its conversation', () => {
  expect(service.model.rejected()).toEqual([])
  expect(service.model.violations()).toEqual([])
})
