import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readWorld } from './test-support/read-world.ts'
import { startZombie, type Zombie } from './test-support/start-zombie.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('postgres')
})
afterAll(() => service.close())
afterEach(() => service.host.clearFaults())

const points = ['branch.pushing', 'pull.opening', 'run.finishing'] as const
type Point = (typeof points)[number]
let page = 0

/**
 * Stops a worker at a point, applies events such as a takeover, then resumes the worker and checks
 * that it changes nothing.
 */
async function survive(
  at: Point,
  meanwhile: (job: { id: string; branch: string; zombie: Zombie }) => Promise<unknown>,
  deaf = false,
) {
  page += 1
  const { id } = await service.create(scriptPrompt('Edit.', [editPage(page, `Edited at ${at}.`)]))
  const zombie = await startZombie(service, at, { deaf })
  await meanwhile({ id, branch: `corrigenda/${id}`, zombie })
  await zombie.notified
  const before = await readWorld(service, id)
  await zombie.awake()
  const after = await readWorld(service, id)
  expect(after).toEqual(before)
  expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
  const { job, branches, pulls } = after
  return { job, branches, pulls, branch: `corrigenda/${id}` }
}

/** Finishes the job in a second worker after the first loses its lease. */
async function succeed(id: string, zombie: Zombie) {
  await zombie.loseLease()
  const successor = await service.startWorker()
  const job = await service.ended(id)
  await successor.close()
  return job
}

describe('the successor fails', () => {
  test('a worker paused before the push keeps a branch that another author has created', async () => {
    let theirs = ''
    const { job, branches, pulls, branch } = await survive('branch.pushing', async ({ id, branch, zombie }) => {
      const files = new Map([['theirs.md', { data: 'theirs\n' }]])
      theirs = await service.host.pushCommit(FULL, branch, { message: 'theirs', files })
      expect(await succeed(id, zombie)).toMatchObject({ failure: { code: 'branch_conflict' } })
    })
    expect({ status: job.status, branches, pulls }).toEqual({
      status: 'failed',
      branches: [`${branch} ${theirs}`],
      pulls: [],
    })
  })

  test('a worker paused before opening the pull request does not open it for the failed job', async () => {
    const { job, pulls } = await survive('pull.opening', async ({ id, zombie }) => {
      service.host.fault({ op: 'pulls.create', kind: 'status', status: 403 })
      expect(await succeed(id, zombie)).toMatchObject({ failure: { code: 'git_host_forbidden' } })
    })
    expect({ status: job.status, pulls }).toEqual({ status: 'failed', pulls: [] })
  })

  test('a worker paused before the last write leaves the job failed', async () => {
    const { job, pulls } = await survive(
      'run.finishing',
      async ({ id, zombie }) => {
        service.host.fault({ op: 'pulls.list', kind: 'status', status: 403 })
        expect(await succeed(id, zombie)).toMatchObject({ failure: { code: 'git_host_forbidden' } })
      },
      true,
    )
    expect(job).toMatchObject({ status: 'failed', prLink: null })
    expect(pulls).toHaveLength(1)
  })
})

describe('the job is cancelled', () => {
  test.each([false, true])(
    'a worker paused before the push (without notification: %s) leaves nothing on the host',
    async (deaf) => {
      const { job, branches, pulls } = await survive(
        'branch.pushing',
        async ({ id }) => expect(await service.cancel(id)).toMatchObject({ outcome: 'cancelled' }),
        deaf,
      )
      expect({ outcome: job.outcome, branches, pulls }).toEqual({ outcome: 'cancelled', branches: [], pulls: [] })
    },
  )

  test('a worker paused before opening the pull request does not open it after the branch has been removed', async () => {
    const { job, branches, pulls } = await survive('pull.opening', async ({ id, zombie }) => {
      const response = cancel(id)
      await waitForCancelRequest(id)
      await succeed(id, zombie)
      expect(await response).toMatchObject({ outcome: 'cancelled', source: { ref: null } })
    })
    expect({ outcome: job.outcome, branches, pulls }).toEqual({ outcome: 'cancelled', branches: [], pulls: [] })
  })

  test('a worker paused before the last write changes nothing after the successor has completed the job', async () => {
    const { job, pulls } = await survive('run.finishing', async ({ id, zombie }) => {
      const response = cancel(id)
      await waitForCancelRequest(id)
      await succeed(id, zombie)
      expect(await response).toMatchObject({ code: 'job_ended' })
    })
    expect(job).toMatchObject({ outcome: 'changed', prNumber: pulls[0]?.number })
    expect(pulls).toHaveLength(1)
  })

  test("a worker paused after the push keeps a branch with another author's commits", async () => {
    page += 1
    const { id } = await service.create(scriptPrompt('Edit.', [editPage(page, 'Edited.')]))
    const branch = `corrigenda/${id}`
    const zombie = await startZombie(service, 'branch.pushed', { deaf: true })
    const files = new Map([['theirs.md', { data: 'theirs\n' }]])
    const theirs = await service.host.pushCommit(FULL, branch, { message: 'theirs', files })
    expect(await service.cancel(id)).toMatchObject({ outcome: 'cancelled' })
    await zombie.awake()
    expect(await service.host.git(FULL, 'rev-parse', branch)).toBe(theirs)
  })
})

describe("users merge the successor's pull request and delete its branch", () => {
  test.each(points)('a worker paused at %s does not recreate the branch or open another pull request', async (at) => {
    const { job, branches, pulls } = await survive(at, async ({ id, zombie }) => {
      const { pullRequest } = await succeed(id, zombie)
      await service.host.closePull(FULL, pullRequest?.number ?? 0, { merge: true, deleteBranch: true })
    })
    expect({ outcome: job.outcome, branches }).toEqual({ outcome: 'changed', branches: [] })
    expect(pulls).toMatchObject([{ state: 'closed', mergedAt: expect.any(String) }])
  })
})

describe('the worker does not detect that it lost its lease', () => {
  test.each(points)("a worker paused at %s finds the successor's work and writes nothing", async (at) => {
    const { job, branches, pulls } = await survive(at, ({ id, zombie }) => succeed(id, zombie), true)
    expect(job).toMatchObject({ outcome: 'changed' })
    expect([branches.length, pulls.length]).toEqual([1, 1])
  })
})

/**
 * Cancels the job and repeats the request while the answer is pending, as clients do. Returns the
 * job, or the error of a request that is refused.
 */
async function cancel(id: string): Promise<unknown> {
  for (;;) {
    const answer = await service.cancel(id).catch((error: unknown) => error)
    if ((answer as { code?: unknown }).code !== 'cancel_pending') return answer
  }
}

const waitForCancelRequest = (jobId: string) =>
  expect
    .poll(async () => (await service.database.prisma.run.findFirstOrThrow({ where: { jobId } })).cancelRequestedAt)
    .not.toBeNull()
