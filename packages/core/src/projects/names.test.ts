import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { createKey } from '../keys/create-key.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { createProject } from './create-project.ts'
import { updateProjectSettings } from './update-project-settings.ts'

test('trims project and key names and requires 1 to 100 characters on creation and update', async () => {
  const { prisma } = openTestDatabase(2)
  const project = await createTestProject({ prisma } as never)
  const keys = { keyPepper: Buffer.alloc(32), deployTargetKey: Buffer.alloc(32) }
  const deps = { audit: COMMAND_LINE, prisma, ...keys, allowedRepositoryHosts: ['github.com'], allowedHookHosts: [] }
  const key = { projectId: project.id, scopes: ['jobs:read'] as const, expiresInDays: 1 }
  const creators: ((name: string) => Promise<unknown>)[] = [
    (name) => createProject(deps, { name, repository: 'https://github.com/acme/docs', baseBranch: null }),
    (name) => updateProjectSettings(deps, { projectId: project.id, change: { name } }),
    (name) => createKey(deps, { ...key, name }),
  ]
  for (const make of creators) {
    for (const name of ['', ' \t', 'x'.repeat(101)]) {
      await expect(make(name)).rejects.toThrow(/^A (project|key) name must have 1 to 100 characters\.$/)
    }
  }
  expect(await updateProjectSettings(deps, { projectId: project.id, change: { name: '  New name ' } })).toMatchObject({
    name: 'New name',
  })
  const { id } = await createKey(deps, { ...key, name: ` ${'k'.repeat(100)} ` })
  expect(await prisma.apiKey.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'k'.repeat(100) })
})
