import { CreateAgentJobRequest, type UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { AppError } from '../base/errors.ts'
import { changeSettings, toRunSettings, toStoredSettings } from '../projects/run-settings.ts'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { startRun } from '../runs/start-run.ts'
import { claim, freeze, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { cancelJob } from './cancel-job.ts'
import { createJob } from './create-job.ts'
import { retryJob } from './retry-job.ts'
import { sendMessage } from './send-message.ts'
import type { DuplicateJobError } from './unwanted-job.ts'

async function open(policy: NonNullable<UpdateProjectSettings['policy']> = {}, maxConnections = 5) {
  const database = openTestDatabase(maxConnections)
  const { id: projectId } = await createTestProject(database)
  const settings = toStoredSettings(changeSettings(toRunSettings({}), { policy }))
  await database.prisma.project.update({ where: { id: projectId }, data: { settings } })
  const quota = { limit: 100, windowSeconds: 3600 }
  const deps = {
    ...database,
    queue: { wakeWorker: async () => {} },
    log: silent,
    defaultModel: 'm-1',
    quota,
    messageQuota: quota,
  }
  const post = async (body: object | string, idempotencyKey: string | null = null) => {
    const request = CreateAgentJobRequest.parse(typeof body === 'string' ? { prompt: body } : body)
    const created = await createJob(deps, { projectId, request, idempotencyKey })
    return { id: created.job.id as string, replayed: created.replayed }
  }
  /** Completes a job with a pull request, as a worker would. */
  const openPull = async (jobId: string, number: number) => {
    const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })
    const held = await claim(database, runId)
    await startRun(database, held!, { baseBranch: 'main', baseCommit: '1', branch: 'b' })
    await freeze(database, held!)
    await recordPush(database, held!, { branch: 'b', commit: '2' })
    const url = `https://github.com/acme/${projectId}/pull/${number}`
    const pullRequest = { number, url, branch: 'b', state: 'open' as const, draft: false }
    await finishRun(database, held!, { kind: 'changed', pullRequest })
    return url
  }
  return { database, deps, projectId, post, openPull }
}

const refused = (code: string) => ({ code })

test('accepts only branch names with a prefix that the project allows', async () => {
  const isAccepted = async ({ post }: Awaited<ReturnType<typeof open>>, branch: string) => {
    const outcome = await post({ prompt: 'x', branch }).catch((error: unknown) => error)
    if (!(outcome instanceof AppError)) return true
    expect([outcome.code, outcome.message]).toEqual(['invalid_request', expect.stringMatching(/must start with "/)])
    return false
  }
  const plain = await open()
  expect(await isAccepted(plain, 'corrigenda/x')).toBe(true)
  expect(await isAccepted(plain, 'docs/x')).toBe(true)
  expect(await isAccepted(plain, 'release/1')).toBe(false)
  const own = await open({ branchPrefix: 'bot/', requestedBranchPrefixes: [] })
  expect(await isAccepted(own, 'bot/x')).toBe(true)
  expect(await isAccepted(own, 'docs/x')).toBe(false)
  expect(await isAccepted(await open({ requestedBranchPrefixes: ['*'] }), 'release/1')).toBe(true)
})

test('creates a job for every request with the same prompt by default', async () => {
  const { post } = await open()
  const ids = await Promise.all(['x', 'x', 'x'].map((prompt) => post(prompt)))
  expect(new Set(ids.map(({ id }) => id)).size).toBe(3)
})

test("accepts one of 50 concurrent requests with the same prompt and returns its job's id in the other responses", async () => {
  const { database, projectId, post } = await open({ dedupe: true }, 10)
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => post(`${' '.repeat(n % 3)}Fix it.${'\n'.repeat(n % 2)}`)),
  )
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
  expect(made).toHaveLength(1)
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as DuplicateJobError] : [],
  )
  for (const error of refusals) expect(error).toMatchObject({ code: 'duplicate_job', jobId: made[0] })
  expect(refusals[0]?.message).toContain(made[0])
  expect(await database.prisma.job.count({ where: { projectId } })).toBe(1)
})

test('detects duplicates by prompt, base branch and project among active jobs unless the request opts out', async () => {
  const { deps, projectId, post } = await open({ dedupe: true })
  const first = await post('Fix it.')
  await expect(post('Fix it.')).rejects.toMatchObject(refused('duplicate_job'))
  await post('fix it.')
  const next = await post({ prompt: 'Fix it.', ref: 'next' })
  await expect(post({ prompt: ' Fix it. ', ref: 'next' })).rejects.toMatchObject({ jobId: next.id })
  await (await open({ dedupe: true })).post('Fix it.')
  await post({ prompt: 'Fix it.', dedupe: false })
  for (const { id } of await deps.prisma.job.findMany({ where: { projectId } }))
    await cancelJob(deps, { projectId, id })
  await post('Fix it.')
  await expect(retryJob(deps, { projectId, id: first.id, idempotencyKey: null })).rejects.toMatchObject(
    refused('duplicate_job'),
  )
  const other = await open()
  const asked = await other.post({ prompt: 'Once.', dedupe: true })
  await expect(other.post({ prompt: 'Once.', dedupe: true })).rejects.toMatchObject({ jobId: asked.id })
})

test('replays a response before checking for duplicates and uses no quota for a rejected request', async () => {
  const { deps, projectId, post } = await open({ dedupe: true, maxOpenPullRequests: 1 })
  const first = await post('Fix it.', 'key-1')
  expect(await post('Fix it.', 'key-1')).toEqual({ id: first.id, replayed: true })
  await expect(post('Fix it.', 'key-2')).rejects.toMatchObject(refused('duplicate_job'))
  await expect(post('Something else.', 'key-2')).rejects.toMatchObject(refused('too_many_pull_requests'))
  expect(await deps.prisma.run.count({ where: { projectId } })).toBe(1)
})

test('ignores the first prompt of a job that is working on a follow-up when checking for duplicates', async () => {
  const { deps, projectId, post, openPull } = await open({ dedupe: true })
  const { id } = await post('Fix it.')
  await openPull(id, 1)
  await sendMessage(deps, { projectId, id, request: { prompt: 'And the title.' }, idempotencyKey: null })
  expect((await post('Fix it.')).id).not.toBe(id)
})

test("rejects a job when open pull requests and active jobs reach the project's limit", async () => {
  const { deps, database, projectId, post, openPull } = await open({ maxOpenPullRequests: 2 }, 10)
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => post(`Task ${n}.`)))
  // The message lists pull requests by job id, not in the order of these promises.
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : [])).sort()
  expect(made).toHaveLength(2)
  await expect(post('One more.')).rejects.toThrow(/limit of 2 open pull requests: 2 reserved for active jobs\./)
  const url = await openPull(made[0] ?? '', 7)
  await expect(post('One more.')).rejects.toThrow(`1 open (${url}) and 1 reserved for active jobs.`)
  await openPull(made[1] ?? '', 8)
  await expect(post('One more.')).rejects.toThrow(/2 open \(\S+\/pull\/7, \S+\/pull\/8\)\. Merge or close one/)
  // A follow-up uses the existing pull request.
  await sendMessage(deps, { projectId, id: made[0] ?? '', request: { prompt: 'More.' }, idempotencyKey: null })
  await expect(post('One more.')).rejects.toMatchObject(refused('too_many_pull_requests'))
  await database.prisma.job.update({ where: { id: made[1] ?? '' }, data: { prState: 'merged' } })
  const third = await post('One more.')
  await expect(retryJob(deps, { projectId, id: made[1] ?? '', idempotencyKey: null })).rejects.toMatchObject(
    refused('too_many_pull_requests'),
  )
  await cancelJob(deps, { projectId, id: third.id })
  await retryJob(deps, { projectId, id: made[1] ?? '', idempotencyKey: null })
})
