import type { ProjectPolicy } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { silent } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { createJob } from './create-job.ts'
import { getJobBranch } from './get-job.ts'

async function open(policy: Partial<ProjectPolicy> = {}) {
  const database = openTestDatabase(6)
  const { id: projectId } = await createTestProject(database)
  await database.prisma.project.update({ where: { id: projectId }, data: { settings: { policy } } })
  const make = async (branch?: string, adaptBranch = true) => {
    const request = { prompt: 'x', ...(branch === undefined ? {} : { branch }) }
    const { job } = await createJob(buildDeps(database), { projectId, request, idempotencyKey: null, adaptBranch })
    const { id } = job
    return { id: String(id), branch: await getJobBranch(database, { projectId, id }) }
  }
  return { database, projectId, make, toBranch: async (branch?: string) => (await make(branch)).branch }
}

const buildDeps = ({ prisma, pool }: Database) => ({
  audit: COMMAND_LINE,
  prisma,
  pool,
  queue: { wakeWorker: async () => {} },
  log: silent,
  defaultModel: 'm-1',
  quota: { limit: 100, windowSeconds: 3600 },
})

test('a name that the project does not allow is used after its branch prefix', async () => {
  const { make, toBranch } = await open()
  expect(await toBranch('update-docs')).toBe('corrigenda/update-docs')
  expect(await toBranch('main')).toBe('corrigenda/main')
  expect(await toBranch('docs/allowed')).toBe('docs/allowed')
  const { id, branch } = await make()
  expect(branch).toBe(`corrigenda/${id}`)
  const listed = await open({ requestedBranchPrefixes: ['*'] })
  expect(await listed.toBranch('release/1')).toBe('release/1')
  const own = await open({ branchPrefix: 'bot/' })
  expect(await own.toBranch('release/1')).toBe('bot/release/1')
})

test('a name that an earlier job of the project has is made unique, even for concurrent requests', async () => {
  const { toBranch } = await open()
  const other = await open()
  const branches = await Promise.all(Array.from({ length: 5 }, () => toBranch('weekly')))
  expect(new Set(branches).size).toBe(5)
  expect(branches.filter((branch) => branch === 'corrigenda/weekly')).toHaveLength(1)
  for (const branch of branches) expect(branch).toMatch(/^corrigenda\/weekly(-[0-9a-z]{8})?$/)
  expect(await other.toBranch('weekly')).toBe('corrigenda/weekly')
})

test('without adaptation, the error names the prefixes and the setting', async () => {
  const { make } = await open()
  await expect(make('update-docs', false)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/must start with "corrigenda\/" or "docs\/".*requestedBranchPrefixes/),
  })
})

test('a name that becomes too long is rejected', async () => {
  const { toBranch } = await open()
  await expect(toBranch('x'.repeat(195))).rejects.toMatchObject({ code: 'invalid_request' })
})
