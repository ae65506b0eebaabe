import { expect, test } from 'vitest'
import { CLAIM_RULES, createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { claimRun } from './claim-run.ts'

test.each([
  ['a project setting', `UPDATE projects SET settings = '{"policy": {"settingOfTheFuture": true}}' WHERE id = $1`],
  ['a group of settings', `UPDATE projects SET settings = '{"settingsOfTheFuture": []}' WHERE id = $1`],
  [
    'a field of a source',
    `UPDATE projects SET settings = '{"sources": [{"name": "a", "repository": "https://x.test/a/b", "fieldOfTheFuture": 1}]}' WHERE id = $1`,
  ],
  ['a pinned source', `UPDATE runs SET sources = '[{"fieldOfTheFuture": 1}]' WHERE project_id = $1`],
  ['a job option', `UPDATE jobs SET options = '{"optionOfTheFuture": true}' WHERE project_id = $1`],
  ['a rule of a policy file', `UPDATE runs SET policy_files = '[{"ruleOfTheFuture": true}]' WHERE project_id = $1`],
])('leaves a run with %s of a newer version to other workers', async (_what, sql) => {
  const database = await openOwnTestDatabase()
  const newer = await createTestRun(database)
  const plain = await createTestRun(database)
  await database.pool.query(sql, [newer.projectId])
  const skipped: string[] = []
  const rules = {
    ...CLAIM_RULES,
    prisma: database.prisma,
    onUnsupported: ({ projectId }: { projectId: string }) => void skipped.push(projectId),
  }
  const read = () => database.prisma.run.findUniqueOrThrow({ where: { id: newer.runId } })
  const before = await read()
  const job = await database.prisma.job.findUniqueOrThrow({ where: { id: newer.jobId } })
  expect((await claimRun(rules, { owner: 'old' }))?.runId).toBe(plain.runId)
  expect(await claimRun(rules, { owner: 'old' })).toBeNull()
  expect(skipped).toEqual([newer.projectId, newer.projectId])
  // No attempt is used, no lease is set and no event is added.
  expect(await read()).toEqual(before)
  expect(await database.prisma.job.findUniqueOrThrow({ where: { id: newer.jobId } })).toEqual(job)

  await database.pool.query(`UPDATE projects SET settings = '{}'`)
  await database.pool.query(`UPDATE jobs SET options = '{}'`)
  // Without triggers, because the columns are immutable.
  await database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE runs SET policy_files = NULL, sources = NULL; COMMIT`,
  )
  const claimed = await claimRun(rules, { owner: 'new' })
  expect([claimed?.runId, claimed?.attempt]).toEqual([newer.runId, 1])
})

test('leaves a follow-up of a run with a rule of a newer version to other workers', async () => {
  const database = await openOwnTestDatabase()
  const { projectId, jobId, runId } = await createTestRun(database)
  await database.pool.query(
    `UPDATE runs SET active = false, ended_at = now(), base_branch = 'main', base_commit = repeat('a', 40),
       policy_files = '[{"ruleOfTheFuture": true}]' WHERE id = $1`,
    [runId],
  )
  await database.pool.query(`UPDATE jobs SET base_commit = repeat('a', 40) WHERE id = $1`, [jobId])
  const id = `${runId}2`
  await database.prisma.run.create({ data: { id, jobId, projectId, seq: 2, kind: 'message', prompt: 'More.' } })
  const skipped: string[] = []
  const onUnsupported = (project: { projectId: string }) => void skipped.push(project.projectId)
  const rules = { ...CLAIM_RULES, prisma: database.prisma, onUnsupported }
  expect(await claimRun(rules, { owner: 'old' })).toBeNull()
  expect(skipped).toEqual([projectId])
  expect(await database.prisma.run.findUniqueOrThrow({ where: { id } })).toMatchObject({ attempt: 0, leaseUntil: null })
})
