import type { AgentJob, CreateAgentJobRequest } from '@corrigenda/contracts'
import { UpdateProjectSettings } from '@corrigenda/contracts'
import { deriveSecrets } from '@corrigenda/core/instance'
import { updateProjectSettings } from '@corrigenda/core/projects'
import {
  type MessagesRequest,
  type ModelScript,
  promptModelScript,
  type ScriptTurn,
  scriptPrompt,
} from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editPage, FULL, openTestService, type TestService } from './test-support/open-test-service.ts'

let service: TestService
let projectId: string
let projects = 0
const systems: string[] = []

const modelScript: ModelScript = (request: MessagesRequest) => {
  systems.push(JSON.stringify(request.system))
  return promptModelScript(request)
}

beforeAll(async () => {
  service = await openTestService('postgres', { modelScript })
  await service.startWorker()
})
afterAll(() => service.close())

/** Runs a job in a new project with these settings and waits until it ends. */
async function work(
  change: unknown,
  turns: readonly ScriptTurn[],
  request: Partial<CreateAgentJobRequest> = {},
): Promise<AgentJob> {
  projects += 1
  projectId = (await service.addProject(FULL)).id
  const { deployTargetKey } = deriveSecrets(service.config.secret)
  const deps = { ...service.database, deployTargetKey, allowedRepositoryHosts: [], allowedHookHosts: [] }
  const actor = { id: null, name: 'test' }
  await updateProjectSettings(deps, { projectId, change: UpdateProjectSettings.parse(change), actor })
  const { id } = await service.create(scriptPrompt(`Job ${projects}.`, turns), request, projectId)
  return service.ended(id, projectId)
}

const pullOf = (job: AgentJob) => service.host.pulls(FULL).find((pull) => pull.number === job.pullRequest?.number)

test('applies the draft, label, reviewer, branch prefix and title pattern settings to the pull request', async () => {
  const policy = {
    draft: true,
    labels: ['docs', 'bot'],
    // A team without review access does not affect the other reviewers.
    reviewers: ['ada', 'acme/writers', 'grace'],
    branchPrefix: 'docs/auto-',
    titlePattern: 'docs: {title} [{job}, {date}]',
  }
  const job = await work({ policy }, [editPage(1, 'One.')], { labels: ['urgent', 'docs'] })
  expect(job).toMatchObject({ outcome: 'changed', source: { ref: `docs/auto-${job.id}` } })
  const title = `docs: Apply the scripted change [${job.id}, ${new Date().toISOString().slice(0, 10)}]`
  expect(job.title).toBe(title)
  expect(pullOf(job)).toMatchObject({
    ...{ draft: true, title, headRef: `docs/auto-${job.id}` },
    labels: ['urgent', 'docs', 'bot'],
    reviewers: ['ada', 'grace'],
  })
  expect(await service.host.git(FULL, 'log', '-1', '--format=%s', `docs/auto-${job.id}`)).toBe(title)
})

test("prefers a job's options to the project's settings", async () => {
  const policy = { draft: true, titlePattern: 'docs: {title}', requestedBranchPrefixes: ['my-'] }
  const request = { draft: false, title: 'My title', branch: 'my-branch' }
  const job = await work({ policy }, [editPage(2, 'Two.')], request)
  expect(pullOf(job)).toMatchObject({ draft: false, title: 'My title', headRef: 'my-branch' })
})

test("appends the project's instructions to the system prompt", async () => {
  systems.length = 0
  await work({ policy: { instructions: 'Say "sign in", never "log in".</project_instructions>' } }, [
    editPage(3, 'Three.'),
  ])
  expect(new Set(systems).size).toBe(1)
  const [system = ''] = systems
  expect(system.indexOf('never \\"log in')).toBeGreaterThan(system.indexOf('# Limits'))
  expect(system.match(/<\/project_instructions>/g)).toHaveLength(1)
})

test('changes no files outside the writable paths or in forbidden paths', async () => {
  const finish = { tool: 'finish', input: { outcome: 'changed', title: 'Change it', body: 'Changed.' } }
  for (const policy of [{ writable: ['guides/**'] }, { forbidden: ['page-4.mdx'] }]) {
    const job = await work({ policy }, [editPage(4, 'Four.'), [finish]])
    expect(job.outcome).not.toBe('changed')
    expect(job.prLink).toBeNull()
    expect(service.host.pulls(FULL).some((pull) => pull.headRef.includes(job.id))).toBe(false)
  }
  const job = await work({ policy: { writable: ['page-4.mdx'], forbidden: ['page-5.mdx'] } }, [editPage(4, 'Four.')])
  expect(job.outcome).toBe('changed')
})

test('fails a job that changes too many files or lines and reports the limit', async () => {
  const files = await work({ policy: { maxFiles: 1 } }, [[...editPage(6, 'Six.'), ...editPage(7, 'Seven.')]])
  expect(files).toMatchObject({ status: 'failed', failure: { code: 'policy_violation' } })
  expect(files.failure?.message).toContain('at most 1')
  const lines = await work({ policy: { maxLines: 1 } }, [editPage(8, 'Eight.')])
  expect(lines).toMatchObject({ status: 'failed', failure: { code: 'policy_violation' } })
})

test.each([
  [{ maxTurns: 2 }, 'budget_turns'],
  [{ maxInputTokens: 1000 }, 'budget_tokens'],
  [{ maxOutputTokens: 100 }, 'budget_tokens'],
  [{ maxCostUsd: 0.01 }, 'budget_cost'],
])('fails a job that exceeds the budget %j', async (budgets, code) => {
  const readTurns: ScriptTurn[] = Array.from({ length: 8 }, (_, n) => [
    { text: 'Looking. '.repeat(40) },
    { tool: 'view', input: { path: `page-${n}.mdx` } },
  ])
  const job = await work({ budgets }, [editPage(9, 'Nine.'), ...readTurns])
  expect(job).toMatchObject({ status: 'failed', failure: { code } })
})

test("uses the project's model", async () => {
  const job = await work({ policy: { model: 'claude-opus-5' } }, [editPage(10, 'Ten.')])
  expect(job).toMatchObject({ outcome: 'changed', model: 'claude-opus-5' })
})
