import { expect, test } from 'vitest'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { ensureMergeDeployment } from './ensure-merge-deployment.ts'
import { createTestTarget } from './test-support/create-test-deployment.ts'

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
