import { deriveSecrets } from '@corrigenda/core/instance'
import { sealDeployTarget } from '@corrigenda/core/internal/projects/deploy-target'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterEach, beforeEach, expect, test } from 'vitest'

let service: TestService
beforeEach(async () => {
  service = await openTestService('redis')
})
afterEach(() => service.close())

/** Creates a job with an open pull request. */
async function openPull() {
  const worker = await service.startWorker()
  const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Changed.')]))
  const job = await service.ended(created.id)
  expect(job.pullRequest).toMatchObject({ number: 1, state: 'open', checks: null })
  const sha = await service.host.git(FULL, 'rev-parse', `corrigenda/${job.id}`)
  /** Triggers a poll, as a webhook or the schedule does. */
  const makePollDue = () => service.database.prisma.$executeRaw`UPDATE pull_request_watches SET next_look_at = now()`
  const seen = async (pull: object) => {
    await makePollDue()
    await expect.poll(async () => (await service.read(job.id)).pullRequest).toMatchObject(pull)
  }
  const changes = async () =>
    (
      await service.database.prisma.jobEvent.findMany({
        where: { jobId: job.id, type: 'pull_request.updated' },
        orderBy: { seq: 'asc' },
      })
    ).map(({ data }) => data)
  return { job, sha, makePollDue, seen, changes, worker }
}

test('shows checks while they run and records one event per change', async () => {
  const { job, sha, seen, makePollDue, changes } = await openPull()
  service.host.setCheckRun(FULL, { sha, name: 'build', status: 'in_progress' })
  await seen({ checks: 'pending' })
  service.host.setCheckRun(FULL, { sha, name: 'build', status: 'completed', conclusion: 'success' })
  await seen({ checks: 'passed' })
  service.host.setStatus(FULL, { sha, context: 'preview', state: 'pending' })
  await seen({ checks: 'pending' })
  service.host.setStatus(FULL, { sha, context: 'preview', state: 'failure' })
  await seen({ checks: 'failed' })
  const before = await service.read(job.id)
  await makePollDue()
  await expect
    .poll(async () => (await service.database.prisma.pullRequestWatch.findFirstOrThrow()).polls)
    .toBeGreaterThanOrEqual(5)
  expect(await service.read(job.id)).toEqual(before)
  expect((await changes()).map((data) => Object(data).checks)).toEqual(['pending', 'passed', 'pending', 'failed'])
})

test('detects a merge, deploys it once and deletes the branch as configured', async () => {
  const { job, seen, changes } = await openPull()
  const { deployTargetKey } = deriveSecrets(service.config.secret)
  const hook = { kind: 'hook', url: 'http://127.0.0.1:9/hook' } as const
  const target = sealDeployTarget(deployTargetKey, service.project.id, hook)
  await service.database.prisma.project.update({
    where: { id: service.project.id },
    data: { deployOnMerge: true, deleteBranchOnClose: true, deployTarget: target },
  })
  await service.host.closePull(FULL, 1, { merge: true })
  await seen({ state: 'merged' })
  const deployed = await service.read(job.id)
  expect(deployed).toMatchObject({
    status: 'completed',
    prLink: job.prLink,
    deployment: { statusId: expect.any(String) },
  })
  const branches = () => service.host.git(FULL, 'for-each-ref', '--format=%(refname)', 'refs/heads')
  await expect.poll(branches).toBe('refs/heads/main')
  const watch = () => service.database.prisma.pullRequestWatch.findFirstOrThrow()
  await expect.poll(async () => (await watch()).branchDeletedAt).not.toBeNull()
  // Polls again, as after a duplicate webhook.
  await service.database.prisma.$executeRaw`UPDATE pull_request_watches SET next_look_at = now()`
  await expect.poll(async () => (await watch()).nextPollAt).toBeNull()
  expect(await service.database.prisma.deployment.count({ where: { jobId: job.id } })).toBe(1)
  expect(await changes()).toHaveLength(1)
})

test('keeps a branch that has commits missing from the pull request', async () => {
  const { job, seen } = await openPull()
  await service.database.prisma.project.update({
    where: { id: service.project.id },
    data: { deleteBranchOnClose: true },
  })
  await service.host.closePull(FULL, 1)
  const theirs = await service.host.pushCommit(FULL, `corrigenda/${job.id}`, {
    message: 'docs: later',
    files: new Map([['later.mdx', { data: 'Later.\n' }]]),
  })
  await seen({ state: 'closed' })
  expect(await service.host.git(FULL, 'rev-parse', `corrigenda/${job.id}`)).toBe(theirs)
})

test('postpones the next poll when the host rate-limits requests', async () => {
  const { makePollDue } = await openPull()
  service.host.fault({ op: 'pulls.get', kind: 'status', status: 429, headers: { 'retry-after': '1200' } })
  await makePollDue()
  await expect
    .poll(async () => {
      const { nextPollAt, restsUntil } = await service.database.prisma.pullRequestWatch.findFirstOrThrow()
      return restsUntil !== null && (nextPollAt?.getTime() ?? 0) - Date.now() > 10 * 60_000
    })
    .toBe(true)
})

test('records a merge even if deleting the branch fails, and retries the deletion', async () => {
  const { job, seen, makePollDue } = await openPull()
  await service.database.prisma.project.update({
    where: { id: service.project.id },
    data: { deleteBranchOnClose: true },
  })
  service.host.fault({ op: 'git.push', kind: 'status', status: 403, times: 1 })
  await service.host.closePull(FULL, 1, { merge: true })
  await seen({ state: 'merged' })
  const watch = () => service.database.prisma.pullRequestWatch.findFirstOrThrow()
  await expect.poll(() => service.lines.join('')).toContain('branch of a closed pull request not deleted')
  expect(await watch()).toMatchObject({ branchDeletedAt: null, nextPollAt: expect.any(Date) })
  await makePollDue()
  await expect.poll(async () => (await watch()).branchDeletedAt).not.toBeNull()
  expect(await service.host.git(FULL, 'for-each-ref', `refs/heads/corrigenda/${job.id}`)).toBe('')
})

test('sends no request to a host that is no longer allowed', async () => {
  const { worker, makePollDue } = await openPull()
  await worker.close()
  const before = service.host.requests.length
  await makePollDue()
  await service.startWorker({ allowedRepositoryHosts: ['github.com'] })
  await expect
    .poll(() => service.lines.join(''))
    .toContain('"code":"host_not_allowed","msg":"pull request poll failed"')
  const watch = () => service.database.prisma.pullRequestWatch.findFirstOrThrow()
  await expect.poll(async () => (await watch()).leaseUntil).toBeNull()
  expect(((await watch()).nextPollAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_600_000)
  expect(service.host.requests.length).toBe(before)
})
