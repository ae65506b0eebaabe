import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '../db/migrate-database.ts'
import { openDatabase } from '../db/open-database.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { describeDeployTarget, findDeployTarget } from './deploy-target.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))

test('a hook that was configured before there were other targets goes on working', async () => {
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
  expect(projects.map((project) => [project.deployTarget, project.deployOnMerge])).toEqual([
    [{ kind: 'hook', url: 'https://example.com/hook' }, false],
    [null, false],
  ])
  await expect(
    database.pool.query(`UPDATE projects SET deploy_target = '{"kind": "carrier_pigeon"}' WHERE id = 'prj_1'`),
  ).rejects.toThrow(/projects_deploy_target_is_known/)
})

test('what people see of a target says nothing secret; what is not known is none', () => {
  expect(describeDeployTarget({ kind: 'hook', url: 'https://example.com/secret' })).toBe('deploy hook at example.com')
  expect(describeDeployTarget({ kind: 'workflow_dispatch', workflow: 'a.yml' })).toBe('workflow a.yml')
  expect(findDeployTarget({ kind: 'workflow_dispatch', workflow: '../a.yml' })).toBeNull()
  expect(findDeployTarget(null)).toBeNull()
})
