import type { AgentJob, ProjectPolicy } from '@corrigenda/contracts'
import { UpdateProjectSettings } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deriveSecrets } from '@corrigenda/core/instance'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { scriptPrompt } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OnPoint } from '../run/run-point.ts'
import { editPage, FULL, openTestService, type TestService } from './test-support/open-test-service.ts'

let service: TestService
let onPoint: OnPoint = async () => {}
beforeAll(async () => {
  service = await openTestService('postgres')
  await service.startWorker({}, (point, run) => onPoint(point, run))
  await service.database.prisma.user.createMany({
    data: [
      { id: 'usr_ada', name: 'Ada <b>\n@octocat', email: 'ada@example.com' },
      { id: 'usr_bob', name: 'Bob', email: 'bob@example.com' },
    ],
  })
})
afterAll(() => service.close())

async function setPolicy(policy: Partial<ProjectPolicy>): Promise<void> {
  const { deployTargetKey } = deriveSecrets(service.config.secret)
  const hosts = { allowedRepositoryHosts: [], allowedHookHosts: [] }
  const deps = { ...service.database, audit: COMMAND_LINE, deployTargetKey, ...hosts }
  const projectId = service.project.id
  await updateProjectSettings(deps, { projectId, change: UpdateProjectSettings.parse({ policy }) })
}

const work = async (n: number, createdBy: string | null) => {
  const prompt = scriptPrompt(`Job ${n}.`, [editPage(n, `Changed ${n}.`)])
  return service.ended((await service.create(prompt, {}, service.project.id, createdBy)).id)
}

/** Returns the trailers of a job's newest commit. */
const trailers = async ({ source }: AgentJob) =>
  (await service.host.git(FULL, 'log', '-1', '--format=%(trailers:only)', String(source.ref))).trim().split('\n')

test('names the user who created the job and, in later commits, the user who sent the message', async () => {
  await setPolicy({ coAuthoredBy: true, signOff: true })
  const job = await work(1, 'usr_ada')
  expect(await trailers(job)).toEqual([
    `Corrigenda-Job: ${job.id}`,
    'Co-authored-by: Ada b @ octocat <ada@example.com>',
    expect.stringMatching(/^Signed-off-by: corrigenda-bot /),
  ])
  await service.message(job.id, scriptPrompt('More.', [editPage(2, 'Changed 2.')]), 'usr_bob')
  const continued = await service.ended(job.id)
  expect((await trailers(continued))[1]).toBe('Co-authored-by: Bob <bob@example.com>')
})

test('adds no co-author without the setting, for a request with an API key, or where addresses are hidden', async () => {
  const cases = [
    [{ coAuthoredBy: false }, 'usr_ada'],
    [{ coAuthoredBy: true }, 'key_without_creator'],
    [{ coAuthoredBy: true }, null],
    [{ coAuthoredBy: true, pullRequestDetails: 'none' }, 'usr_ada'],
  ] as const
  for (const [n, [policy, createdBy]] of cases.entries()) {
    await setPolicy({ signOff: false, pullRequestDetails: 'private-repositories', ...policy })
    const job = await work(n + 10, createdBy)
    expect(await trailers(job), JSON.stringify(policy)).toEqual([`Corrigenda-Job: ${job.id}`])
  }
})

test('a run that continues after its commit was frozen publishes the same commit, even if the user has changed', async () => {
  await setPolicy({ signOff: false, coAuthoredBy: true, pullRequestDetails: 'full' })
  let frozen: unknown = null
  onPoint = async (point, { runId }) => {
    if (point !== 'run.frozen' || frozen !== null) return
    frozen = (await service.database.prisma.run.findUniqueOrThrow({ where: { id: runId } })).frozen
    await service.database.prisma.user.update({ where: { id: 'usr_bob' }, data: { name: 'Robert' } })
    throw new Error('the worker fails')
  }
  const job = await work(20, 'usr_bob')
  const { attempt, commit } = await service.database.prisma.run
    .findFirstOrThrow({ where: { jobId: job.id } })
    .then((run) => ({ attempt: run.attempt, commit: (frozen as { commit: string }).commit }))
  expect(attempt).toBe(2)
  expect(await service.host.git(FULL, 'rev-parse', String(job.source.ref))).toContain(commit)
  expect((await trailers(job))[1]).toBe('Co-authored-by: Bob <bob@example.com>')
})
