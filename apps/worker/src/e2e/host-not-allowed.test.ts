import { type Claim, recordPush } from '@corrigenda/core/runs'
import { openLog } from '@corrigenda/core/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim, freeze } from '../../../../packages/core/src/test-support/create-test-run.ts'
import { buildWorkerDeps } from '../build-worker-deps.ts'
import { forProject } from '../git-host/with-token.ts'
import { removeRunBranch } from '../publish/remove-branch.ts'
import { pollPullRequest } from '../pull-request-tracking/start-pull-request-polls.ts'
import { watchHeldRuns } from '../run/hold-run.ts'
import { prepareRun } from '../run/prepare-run.ts'
import { resolveInterruptedPublish } from '../run/resolve-interrupted-publish.ts'
import type { WorkerDeps } from '../run/worker-deps.ts'
import { openTestService, type TestService } from './test-support/open-test-service.ts'

type Work = (deps: WorkerDeps, held: Claim) => Promise<unknown>

const signal = AbortSignal.timeout(60_000)
let service: TestService

beforeAll(async () => {
  service = await openTestService('postgres')
})
afterAll(() => service.close())

function build(allowedRepositoryHosts: readonly string[]): WorkerDeps {
  const log = openLog({ level: 'silent', secrets: [] })
  const mirrors: WorkerDeps['mirrors'] = {
    openSnapshot: () => Promise.reject(new Error('not reached')),
    isTip: () => Promise.reject(new Error('not reached')),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  const { prisma } = service.database
  const opened = { prisma, queue: service.queue, log, owner: 'test', mirrors, shutdown: signal }
  const held = watchHeldRuns({ prisma, log, everyMs: 60_000 })
  return forProject(
    buildWorkerDeps({ ...service.config, allowedRepositoryHosts }, { ...opened, held }),
    service.project.id,
  )
}

const settle: Work = (deps, held) => resolveInterruptedPublish(deps, held, 'attempts_exhausted', signal)

const tidy: Work = (deps, held) => removeRunBranch(deps, held, signal)

const watch: Work = (deps, { jobId, projectId, repositoryUrl }) => {
  const poll = { jobId, projectId, repositoryUrl, number: 1, branch: 'b', fence: 1 }
  const shall = { shallDeployMerge: false, shallDeleteBranch: false, isWorkedOn: false }
  return pollPullRequest(deps, { ...poll, ...shall } as unknown as Parameters<typeof pollPullRequest>[1], signal)
}

const followUp: Work = (deps, held) => {
  const branch = { name: 'b', base: 'main', baseCommit: null, pullNumber: 1, policyFiles: [] }
  return prepareRun(deps, { ...held, earlier: { prompts: [], summary: null, branch, abandoned: [] } }, signal)
}

test.each([
  ['an interrupted publish', settle],
  ['the branch of a cancelled run', tidy],
  ['a pull request poll', watch],
  ['a follow-up', followUp],
])('%s sends no request to a host that is no longer allowed', async (_, work) => {
  const { id } = await service.create('Fix it.')
  const run = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
  const held = await claim(service.database, run.id)
  if (held === null) throw new Error('the run was not claimed')
  await freeze(service.database, held)
  await recordPush(service.database, held, { branch: 'b', commit: '1'.repeat(40) })
  const count = async (allowed: readonly string[]) => {
    const before = service.host.requests.length
    await work(build(allowed), held).catch(() => {})
    return service.host.requests.length - before
  }
  expect(await count(['github.com'])).toBe(0)
  expect(await count(service.config.allowedRepositoryHosts)).toBeGreaterThan(0)
})
