import type { UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { findDeployTarget } from '../projects/deploy-target.ts'
import { updateProjectSettings } from '../projects/update-project-settings.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { createDeployment, ensureMergeDeployment } from './create-deployment.ts'
import { getDeployment, listDeployments } from './deployments.ts'
import { createTestTarget, TARGET_KEY } from './test-support/create-test-deployment.ts'

const ask = (projectId: string, jobId: string | null = null) => ({ projectId, jobId, trigger: 'api' }) as const

test('queues a deployment that only its project can read', async () => {
  const database = openTestDatabase()
  const { jobId, projectId } = await createTestRun(database)
  await createTestTarget(database, projectId)
  const { statusId } = await createDeployment(database, ask(projectId, jobId))
  expect(statusId).toMatch(/^dep_[0-9a-z]{26}$/)
  expect(await getDeployment(database, { projectId, statusId })).toEqual({
    _id: statusId,
    projectId,
    createdAt: expect.any(String),
    endedAt: null,
    status: 'queued',
    summary: 'Waiting for a worker.',
    logs: [],
    commit: null,
    source: 'api',
    trigger: 'api',
    subdomain: '',
    screenshot: '',
    screenshotLight: '',
    screenshotDark: '',
    author: null,
    preview: null,
    url: null,
    jobId,
  })
  const other = await createTestProject(database)
  for (const key of [
    { projectId: other.id, statusId },
    { projectId, statusId: `dep_${'0'.repeat(26)}` },
    { projectId, statusId: "dep_' OR 1=1" },
  ]) {
    await expect(getDeployment(database, key)).rejects.toMatchObject({ code: 'not_found', message: 'Not found.' })
  }
})

test('explains how to set a deploy target if it is missing and returns not_found for an unknown project', async () => {
  const database = openTestDatabase()
  const { id } = await createTestProject(database)
  await expect(createDeployment(database, ask(id))).rejects.toMatchObject({
    code: 'no_deploy_target',
    message: expect.stringContaining(`corrigenda project update ${id} --deploy-hook`),
  })
  await expect(createDeployment(database, ask('prj_none'))).rejects.toMatchObject({ code: 'not_found' })
})

test('accepts exactly 10 of 40 concurrent requests per project and returns a retry time for the rest', async () => {
  // Uses a separate database, because the test disables a trigger.
  const database = await openOwnTestDatabase()
  const [one, other] = [await createTestProject(database), await createTestProject(database)]
  await createTestTarget(database, one.id)
  await createTestTarget(database, other.id)
  const answers = await Promise.allSettled(Array.from({ length: 40 }, () => createDeployment(database, ask(one.id))))
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(10)
  for (const answer of answers) {
    if (answer.status === 'fulfilled') continue
    expect(answer.reason).toMatchObject({ code: 'deploy_rate_exceeded' })
    expect(answer.reason.retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(answer.reason.retryAfterSeconds).toBeLessThanOrEqual(10)
  }
  await createDeployment(database, ask(other.id))
  // New deployments are accepted again after ten seconds.
  await database.prisma.$executeRaw`ALTER TABLE deployments DISABLE TRIGGER guard_deployment`
  await database.prisma
    .$executeRaw`UPDATE deployments SET created_at = created_at - interval '11 seconds' WHERE project_id = ${one.id}`
  await database.prisma.$executeRaw`ALTER TABLE deployments ENABLE TRIGGER guard_deployment`
  await createDeployment(database, ask(one.id))
})

test('accepts merge deployments beyond the limit and does not count them', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  await createTestTarget(database, projectId)
  const merge = () => createDeployment(database, { projectId, jobId: null, trigger: 'merge' })
  for (let n = 0; n < 5; n += 1) await merge()
  for (let n = 0; n < 10; n += 1) await createDeployment(database, ask(projectId))
  await expect(createDeployment(database, ask(projectId))).rejects.toMatchObject({ code: 'deploy_rate_exceeded' })
  await merge()
})

test('a preview needs a URL template, and has its own limit of 5 per minute', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const preview = (branch = 'docs/New page') => createDeployment(database, { ...ask(projectId), previewBranch: branch })
  await expect(preview()).rejects.toMatchObject({ code: 'no_deploy_target' })
  await createTestTarget(database, projectId)
  await expect(preview()).rejects.toMatchObject({
    code: 'no_preview_url',
    message: expect.stringContaining(`corrigenda project update ${projectId} --preview-url`),
  })
  await database.prisma.project.update({
    where: { id: projectId },
    data: { previewUrlTemplate: 'https://{branchSlug}.example.com' },
  })
  const { statusId, previewUrl } = await preview()
  expect(previewUrl).toBe('https://docs-new-page.example.com/')
  expect(await getDeployment(database, { projectId, statusId })).toMatchObject({
    source: 'api',
    preview: { branch: 'docs/New page', url: previewUrl },
  })
  const more = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => preview(`b${n}`)))
  expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  for (const answer of more) {
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'deploy_rate_exceeded' })
  }
  // Deployments and previews do not count against each other's limits.
  for (let n = 0; n < 10; n += 1) await createDeployment(database, ask(projectId))
  await expect(createDeployment(database, ask(projectId))).rejects.toMatchObject({ code: 'deploy_rate_exceeded' })
  await expect(preview()).rejects.toMatchObject({
    code: 'deploy_rate_exceeded',
    message: expect.stringContaining('5 previews per 60 seconds'),
  })
})

test('queues at most 100 deployments per project', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  await createTestTarget(database, projectId)
  await database.prisma.$executeRaw`
    INSERT INTO deployments (id, project_id, source, created_at)
    SELECT ${projectId} || n, ${projectId}, 'api', now() - interval '1 hour' FROM generate_series(1, 99) AS n`
  await createDeployment(database, ask(projectId))
  await expect(createDeployment(database, ask(projectId))).rejects.toMatchObject({
    code: 'deploy_rate_exceeded',
    message: expect.stringContaining('100 deployments in the queue'),
    retryAfterSeconds: 60,
  })
})

test('lists deployments newest first in pages that stay stable when new ones are added', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  await createTestTarget(database, projectId)
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift((await createDeployment(database, ask(projectId))).statusId)
  const first = await listDeployments(database, { projectId, limit: 2 })
  expect(first.updates.map((one) => one._id)).toEqual(ids.slice(0, 2))
  await createDeployment(database, ask(projectId))
  const second = await listDeployments(database, { projectId, limit: 3, cursor: String(first.nextCursor) })
  expect(second.updates.map((one) => one._id)).toEqual(ids.slice(2))
  expect(second.nextCursor).toBeNull()
  await expect(listDeployments(database, { projectId, limit: 3, cursor: 'nonsense' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test.each<[unknown, RegExp]>([
  [{ kind: 'hook', url: 'https://127.0.0.1/x' }, /not a public address/],
  [{ kind: 'hook', url: 'nonsense' }, /url/i],
  [{ kind: 'workflow_dispatch', workflow: '../docs.yml' }, /workflow must be the name of a file/],
  [{ kind: 'workflow_dispatch', workflow: 'docs.yml', ref: 'a..b' }, /ref is not a valid git branch name/],
  [{ kind: 'repository_dispatch', eventType: '' }, /eventType/],
  [{ kind: 'repository_dispatch', eventType: 'x', clientPayload: { corrigenda: 1 } }, /none of them named corrigenda/],
  [{ kind: 'carrier_pigeon' }, /deploy target is not valid/],
])('rejects the deploy target %j', async (deployTarget, why) => {
  const database = openTestDatabase()
  const { id } = await createTestProject(database)
  const deps = { ...database, allowedRepositoryHosts: [], allowedHookHosts: [], deployTargetKey: TARGET_KEY }
  const update = (change: UpdateProjectSettings) => updateProjectSettings(deps, { projectId: id, change })
  await expect(update({ deployTarget: deployTarget as never })).rejects.toThrow(why)
  const good = { kind: 'workflow_dispatch', workflow: 'docs.yml', inputs: { stage: 'production' } } as const
  await update({ deployTarget: good, deployOnMerge: true })
  const changed = await database.prisma.project.findUniqueOrThrow({ where: { id } })
  expect(changed).toMatchObject({ deployTarget: { kind: good.kind }, deployOnMerge: true })
  expect(findDeployTarget(TARGET_KEY, id, changed.deployTarget)).toEqual(good)
  expect(await update({ deployTarget: null })).toMatchObject({ deployTarget: null })
})

test('deploys a merge once when several workers detect it', async () => {
  const database = openTestDatabase()
  const { jobId, projectId } = await createTestRun(database)
  await createTestTarget(database, projectId)
  const ensure = () => ensureMergeDeployment(database, { projectId, jobId })
  const accepted = await Promise.all(Array.from({ length: 8 }, ensure))
  expect(accepted.filter(Boolean)).toHaveLength(1)
  expect(await ensure()).toBe(false)
  expect(await database.prisma.deployment.findMany({ where: { jobId } })).toMatchObject([{ trigger: 'merge' }])
})

test('rejects a project without a deploy target', async () => {
  const database = openTestDatabase()
  const { jobId, projectId } = await createTestRun(database)
  await expect(ensureMergeDeployment(database, { projectId, jobId })).rejects.toMatchObject({
    code: 'no_deploy_target',
  })
})
