import { expect, test } from 'vitest'
import { watchPullRequest } from '../job-record/watch-pull-request.ts'
import { finishRun } from '../runs/finish-run.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import {
  claimPullRequestPoll,
  type PullRequestPoll,
  postponePullRequestPoll,
  recordBranchDeleted,
  recordPullRequestPoll,
  type Seen,
  toNextPoll,
  wakePullRequests,
} from './pull-request-polls.ts'

const OPEN: Seen = { state: 'open', draft: false, checks: null, hasOpenRemarks: false }
const MERGED: Seen = { ...OPEN, state: 'merged' }
const REPOSITORY = 'https://github.com/acme/docs'
const MINUTE = 60_000

/** Creates a job with an open pull request. */
async function open(project: { deployOnMerge?: boolean; deleteBranchOnClose?: boolean } = {}) {
  const database = await openOwnTestDatabase()
  const { prisma } = database
  const { jobId, runId, projectId } = await createTestRun(database)
  await prisma.project.update({ where: { id: projectId }, data: project })
  await prisma.job.update({ where: { id: jobId }, data: { headCommit: 'a'.repeat(40) } })
  const branch = `corrigenda/${jobId}`
  const pullRequest = { number: 7, url: `${REPOSITORY}/pull/7`, branch, state: 'open', draft: false } as const
  const changed = { kind: 'changed', pullRequest } as const
  await finishRun(database, (await claim(database, runId))!, changed)
  const watch = () => prisma.pullRequestWatch.findUniqueOrThrow({ where: { jobId } })
  const job = () => prisma.job.findUniqueOrThrow({ where: { id: jobId } })
  const makeDue = () => prisma.$executeRaw`
    UPDATE pull_request_watches SET next_look_at = now() - interval '1 second', looked_at = looked_at - interval '1 hour'`
  const poll = async (): Promise<PullRequestPoll> => {
    await makeDue()
    const claimed = await claimPullRequestPoll(database)
    if (!claimed) throw new Error('expected a due poll')
    return claimed
  }
  const wake = () => wakePullRequests(database, { repositoryUrl: REPOSITORY, numbers: [7], branches: [], commits: [] })
  /** Returns the time until the next poll, in ms. */
  const wait = async () => ((await watch()).nextPollAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()
  return { database, prisma, jobId, watch, job, poll, wake, wait, makeDue }
}

test('polls again soon after an event that arrives during a poll, but not concurrently', async () => {
  const { database, poll, wake, wait, job } = await open()
  const slow = await poll()
  // The host has returned "open". The merge and its event happen before the result is recorded.
  expect(await wake()).toBe(1)
  expect(await claimPullRequestPoll(database)).toBeNull()
  await recordPullRequestPoll(database, slow, { ...OPEN, checks: 'passed' })
  expect((await job()).prState).toBe('open')
  expect(await wait()).toBeLessThan(6_000)
  await recordPullRequestPoll(database, await poll(), MERGED)
  expect((await job()).prState).toBe('merged')
  expect(await wait()).toBe(Number.POSITIVE_INFINITY)
})

test("lets another worker claim a crashed worker's poll and discards the late result", async () => {
  const { database, prisma, poll, job } = await open()
  const dead = await poll()
  expect(await claimPullRequestPoll(database)).toBeNull()
  await prisma.$executeRaw`UPDATE pull_request_watches SET lease_until = now() - interval '1 second'`
  const successor = await claimPullRequestPoll(database)
  expect(await recordPullRequestPoll(database, successor!, MERGED)).toBe(true)
  expect(await recordPullRequestPoll(database, dead, OPEN)).toBe(false)
  expect((await job()).prState).toBe('merged')
})

test('discards a poll that started before a new commit', async () => {
  const { database, prisma, jobId, poll, job, wait } = await open()
  const stale = await poll()
  await prisma.$transaction((tx) => watchPullRequest(tx, jobId))
  expect(await recordPullRequestPoll(database, stale, { ...OPEN, checks: 'failed' })).toBe(false)
  expect((await job()).prChecks).toBeNull()
  expect(await wait()).toBeLessThan(21_000)
})

test('shortens the delay after an event unless the Git host requested the delay', async () => {
  const { database, poll, wake, wait } = await open()
  await postponePullRequestPoll(database, await poll(), { afterMs: 15 * MINUTE, isAsked: false })
  expect(await wait()).toBeGreaterThan(14 * MINUTE)
  await wake()
  expect(await wait()).toBeLessThan(6_000)
  const limited = await poll()
  await wake()
  await postponePullRequestPoll(database, limited, { afterMs: 20 * MINUTE, isAsked: true })
  await wake()
  expect(await wait()).toBeGreaterThan(19 * MINUTE)
  await recordPullRequestPoll(database, await poll(), OPEN)
  await wake()
  expect(await wait()).toBeLessThan(6_000)
})

test('polls at most once every five seconds for repeated events', async () => {
  const { poll, wake, watch } = await open()
  await poll()
  for (let n = 0; n < 20; n += 1) await wake()
  const { nextPollAt, polledAt } = await watch()
  expect(Number(nextPollAt) - Number(polledAt)).toBeGreaterThanOrEqual(5_000)
})

test('does not deploy a recorded merge when merge deployments are enabled later', async () => {
  const { database, prisma, poll } = await open()
  await recordPullRequestPoll(database, await poll(), MERGED)
  await prisma.project.updateMany({ data: { deployOnMerge: true } })
  expect((await poll()).shallDeployMerge).toBe(false)
})

test('deploys a merge that a run or a crashed worker detected first', async () => {
  const { database, prisma, jobId, poll } = await open({ deployOnMerge: true })
  const dead = await poll()
  expect(dead.shallDeployMerge).toBe(true)
  await prisma.$executeRaw`UPDATE pull_request_watches SET lease_until = NULL`
  expect((await poll()).shallDeployMerge).toBe(true)
  await prisma.job.update({ where: { id: jobId }, data: { prState: 'merged' } })
  await prisma.$executeRaw`UPDATE pull_request_watches SET lease_until = NULL`
  const last = await poll()
  expect(last.shallDeployMerge).toBe(true)
  await recordPullRequestPoll(database, last, MERGED)
  expect((await poll()).shallDeployMerge).toBe(false)
})

test("polls for up to an hour until a closed pull request's branch is deleted", async () => {
  const { database, prisma, poll, wait, watch } = await open({ deleteBranchOnClose: true })
  const first = await poll()
  expect(first).toMatchObject({ shallDeleteBranch: true, isWorkedOn: false })
  await recordPullRequestPoll(database, first, MERGED)
  expect(await wait()).toBeLessThan(6 * MINUTE)
  await recordBranchDeleted(database, first)
  expect((await watch()).branchDeletedAt).not.toBeNull()
  const second = await poll()
  expect(second.shallDeleteBranch).toBe(false)
  await recordPullRequestPoll(database, second, MERGED)
  expect(await wait()).toBe(Number.POSITIVE_INFINITY)
  await prisma.$executeRaw`UPDATE pull_request_watches SET branch_deleted_at = NULL, closed_at = now() - interval '61 minutes'`
  await recordPullRequestPoll(database, await poll(), MERGED)
  expect(await wait()).toBe(Number.POSITIVE_INFINITY)
})

test('stops polling an unresponsive host when the pull request is too old', async () => {
  const { database, prisma, poll, wait } = await open()
  await postponePullRequestPoll(database, await poll(), { afterMs: 6 * 60 * MINUTE, isAsked: false })
  expect(await wait()).toBeGreaterThan(5 * 60 * MINUTE)
  await prisma.$executeRaw`UPDATE pull_request_watches SET created_at = now() - interval '91 days'`
  await postponePullRequestPoll(database, await poll(), { afterMs: 6 * 60 * MINUTE, isAsked: false })
  expect(await wait()).toBe(Number.POSITIVE_INFINITY)
})

const DAY = 1_440 * MINUTE
test.each([
  [{ state: 'merged', checks: 'passed', closedMs: 0 }, null],
  [{ state: 'merged', checks: 'pending', closedMs: 59 * MINUTE }, 2 * MINUTE],
  [{ state: 'merged', checks: 'pending', closedMs: 61 * MINUTE }, null],
  [{ state: 'closed', checks: null, closedMs: 0 }, 60 * MINUTE],
  [{ state: 'closed', checks: null, closedMs: 2 * DAY }, 360 * MINUTE],
  [{ state: 'closed', checks: null, closedMs: 7 * DAY }, null],
  [{ state: 'open', checks: 'pending', closedMs: null }, MINUTE / 2],
  [{ state: 'open', checks: null, closedMs: null }, 2 * MINUTE],
] as const)('schedules the next poll for %j in %s ms', (facts, expected) => {
  expect(toNextPoll({ ageMs: 0, isBranchWaiting: false, hasOpenRemarks: false, ...facts })).toBe(expected)
})
