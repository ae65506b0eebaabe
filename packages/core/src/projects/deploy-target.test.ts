import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, inject, onTestFinished, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { migrateDatabase } from '../db/migrate-database.ts'
import { openDatabase } from '../db/open-database.ts'
import { TARGET_KEY } from '../deployments/test-support/create-test-deployment.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { describeDeployTarget, findDeployTarget, hasDeployTarget, sealDeployTarget } from './deploy-target.ts'
import { updateProjectSettings } from './update-project-settings.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))

test('migrates a deploy hook that was stored before other kinds of deploy targets existed', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-migrations-'))
  const shared = openTestDatabase(1)
  const name = `before_${randomUUID().replaceAll('-', '')}`
  await shared.pool.query(`CREATE DATABASE ${name}`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  onTestFinished(async () => {
    await database.close()
    await shared.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await rm(dir, { recursive: true, force: true })
  })
  const folders = (await readdir(MIGRATIONS)).filter((folder) => folder < '20261121000400')
  for (const folder of folders) await cp(path.join(MIGRATIONS, folder), path.join(dir, folder), { recursive: true })
  await migrateDatabase({ url, dir })
  await database.pool.query(`
    INSERT INTO projects (id, name, repository_url, deploy_hook_url) VALUES
      ('prj_1', 'with', 'https://github.com/acme/docs', 'https://example.com/hook'),
      ('prj_2', 'without', 'https://github.com/acme/docs', NULL)`)
  await migrateDatabase({ url })
  const projects = await database.prisma.project.findMany({ orderBy: { id: 'asc' } })
  expect(projects.map((row) => [findDeployTarget(TARGET_KEY, row.id, row.deployTarget), row.deployOnMerge])).toEqual([
    [{ kind: 'hook', url: 'https://example.com/hook' }, false],
    [null, false],
  ])
  expect(projects.map((row) => hasDeployTarget(row.deployTarget))).toEqual([true, false])
  const set = (target: unknown) =>
    database.pool.query(`UPDATE projects SET deploy_target = $1 WHERE id = 'prj_1'`, [JSON.stringify(target)])
  await expect(set({ kind: 'carrier_pigeon', sealed: 'AA==' })).rejects.toThrow(/projects_deploy_target_is_known/)
  // Unrelated changes keep an unsealed target. A new target is always sealed.
  const deps = {
    audit: COMMAND_LINE,
    ...database,
    allowedRepositoryHosts: [],
    allowedHookHosts: [],
    deployTargetKey: TARGET_KEY,
  }
  const update = async (change: UpdateProjectSettings) => {
    await updateProjectSettings(deps, { projectId: 'prj_1', change })
    return (await database.prisma.project.findUniqueOrThrow({ where: { id: 'prj_1' } })).deployTarget
  }
  expect(await update({ name: 'new' })).toEqual(projects[0]?.deployTarget)
  expect(await update({ deployTarget: { kind: 'hook', url: 'https://example.com/hook' } })).toHaveProperty('sealed')
  const plain = { kind: 'hook', url: 'https://example.com/other' } as const
  for (const target of [plain, { ...plain, sealed: 'AA==' }]) await expect(set(target)).rejects.toThrow(/is not sealed/)
  const deployTarget = await update({ deployTarget: plain })
  expect(JSON.stringify(deployTarget)).not.toContain('example.com')
  expect(findDeployTarget(TARGET_KEY, 'prj_1', deployTarget)).toEqual(plain)
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
