import type { AllowedHosts } from '@corrigenda/contracts'
import { type Claim, findFrozen, recordPush } from '@corrigenda/core/runs'
import { openLog } from '@corrigenda/core/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim, freeze } from '../../../../packages/core/src/test-support/create-test-run.ts'
import { buildGitAccess } from '../config/build-git-hosts.ts'
import { forProject } from '../git-host/git-access.ts'
import { buildRunDeps } from '../open-run-handler.ts'
import { pollPullRequest } from '../pull-request-tracking/start-pull-request-polls.ts'
import type { RunDeps } from '../run/handle-run.ts'
import { watchHeldRuns } from '../run/hold-run.ts'
import { prepareRun } from '../run/prepare-run.ts'
import { removeRunBranch, resolveInterruptedPublish } from '../run/resolve-interrupted-publish.ts'
import { openTestService, type TestService } from './test-support/open-test-service.ts'

type Work = (deps: RunDeps, held: Claim) => Promise<unknown>

const signal = AbortSignal.timeout(60_000)
let service: TestService

beforeAll(async () => {
  service = await openTestService('postgres')
})
afterAll(() => service.close())

function build(allowedRepositoryHosts: AllowedHosts): RunDeps {
  const log = openLog({ level: 'silent', secrets: [] })
  const mirrors: RunDeps['mirrors'] = {
    openSnapshot: () => Promise.reject(new Error('not reached')),
    isTip: () => Promise.reject(new Error('not reached')),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  const { prisma } = service.database
  const opened = { prisma, queue: service.queue, log, owner: 'test', mirrors, shutdown: signal }
  const held = watchHeldRuns({ prisma, log, everyMs: 60_000 })
  const config = { ...service.config, allowedRepositoryHosts }
  const access = buildGitAccess(config, { prisma, log })
  return forProject(buildRunDeps(config, { ...access, ...opened, held }), service.project.id)
}

const settle: Work = (deps, held) => resolveInterruptedPublish(deps, held, 'attempts_exhausted', signal)

const tidy: Work = async (deps, held) => {
  const frozen = await findFrozen(deps, held.runId)
  if (frozen === null) throw new Error('the run is not frozen')
  return removeRunBranch(deps, held, frozen.publish, signal)
}

const watch: Work = (deps, { jobId, projectId, repositoryUrl }) => {
  const poll = { jobId, projectId, repositoryUrl, number: 1, branch: 'b', fence: 1 }
  const shall = { shallDeployMerge: false, shallDeleteBranch: false, isWorkedOn: false }
  const quota = { messageQuota: { limit: 1, windowSeconds: 1 }, monthlyBudgetUsd: null }
  return pollPullRequest(
    { ...deps, ...quota },
    { ...poll, ...shall } as unknown as Parameters<typeof pollPullRequest>[1],
    signal,
  )
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
  const count = async (allowed: AllowedHosts) => {
    const before = service.host.requests.length
    await work(build(allowed), held).catch(() => {})
    return service.host.requests.length - before
  }
  expect(await count(['github.com'])).toBe(0)
  expect(await count(service.config.allowedRepositoryHosts)).toBeGreaterThan(0)
})
