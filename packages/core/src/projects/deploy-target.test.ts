import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { TARGET_KEY } from '../deployments/test-support/create-test-deployment.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { describeDeployTarget, findDeployTarget, hasDeployTarget, sealDeployTarget } from './deploy-target.ts'
import { updateProjectSettings } from './update-project-settings.ts'

test('stores a deploy target only sealed and of a known kind', async () => {
  const database = openTestDatabase(2)
  const { id } = await createTestProject(database)
  const set = (target: unknown) =>
    database.pool.query('UPDATE projects SET deploy_target = $1 WHERE id = $2', [JSON.stringify(target), id])
  await expect(set({ kind: 'carrier_pigeon', sealed: 'AA==' })).rejects.toThrow(/projects_deploy_target_is_known/)
  const plain = { kind: 'hook', url: 'https://example.com/other' } as const
  for (const target of [plain, { ...plain, sealed: 'AA==' }, { kind: 'hook' }])
    await expect(set(target)).rejects.toThrow(/projects_deploy_target_is_sealed/)
  const deps = {
    ...database,
    audit: COMMAND_LINE,
    allowedRepositoryHosts: [],
    allowedHookHosts: [],
    deployTargetKey: TARGET_KEY,
  }
  await updateProjectSettings(deps, { projectId: id, change: { deployTarget: plain } })
  const { deployTarget } = await database.prisma.project.findUniqueOrThrow({ where: { id } })
  expect(JSON.stringify(deployTarget)).not.toContain('example.com')
  expect(findDeployTarget(TARGET_KEY, id, deployTarget)).toEqual(plain)
})

test('decrypts a sealed deploy target only with its key and for its project', () => {
  const target = { kind: 'hook', url: 'https://example.com/secret-path-4711' } as const
  const stored = sealDeployTarget(TARGET_KEY, 'prj_1', target)
  expect(JSON.stringify(stored)).not.toMatch(/example|4711/)
  expect(findDeployTarget(TARGET_KEY, 'prj_1', stored)).toEqual(target)
  expect(findDeployTarget(TARGET_KEY, 'prj_2', stored)).toBeNull()
  expect(findDeployTarget(Buffer.alloc(32), 'prj_1', stored)).toBeNull()
  expect(findDeployTarget(TARGET_KEY, 'prj_1', { ...stored, sealed: 'AAAA' })).toBeNull()
  expect(hasDeployTarget(stored)).toBe(true)
})

test('describes a deploy target without revealing secrets and treats an invalid target as missing', () => {
  expect(describeDeployTarget({ kind: 'hook', url: 'https://example.com/secret' })).toBe('deploy hook at example.com')
  expect(describeDeployTarget({ kind: 'workflow_dispatch', workflow: 'a.yml' })).toBe('workflow a.yml')
  for (const none of [{ kind: 'workflow_dispatch', workflow: '../a.yml' }, null, {}]) {
    expect([findDeployTarget(TARGET_KEY, 'prj_1', none), hasDeployTarget(none)]).toEqual([null, false])
  }
})
