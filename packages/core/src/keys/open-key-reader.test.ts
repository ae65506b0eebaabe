import { AgentJob } from '@corrigenda/contracts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { CURRENT_MONTH } from '../budgets/read-monthly-spend.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { readJobProjects } from '../projects/read-job-projects.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { createJobToken } from './create-job-token.ts'
import { createKey } from './create-key.ts'
import { buildKey, findKeyParts, toKey } from './key-format.ts'
import { openKeyReader } from './open-key-reader.ts'
import { revokeKey } from './revoke-key.ts'

const keyPepper = Buffer.alloc(32, 3)

function open(database = openTestDatabase()) {
  const deps = { ...database, keyPepper }
  const make = (projectId: string, options: { expiresInDays?: number | null } = {}) =>
    createKey(deps, { projectId, name: 'k', scopes: ['jobs:read'], expiresInDays: null, ...options })
  const query = vi.spyOn(database.pool, 'query')
  onTestFinished(() => query.mockRestore())
  /** Returns the number of statements that read keys so far. */
  const countReads = () =>
    query.mock.calls.filter(([sent]) => String((sent as { text?: string }).text).includes('secret_hash')).length
  return { database, deps, make, countReads, read: openKeyReader(deps) }
}

test('accepts a valid key and rejects a wrong secret, a wrong pepper, and expired and revoked keys', async () => {
  const { database, deps, make, read } = open()
  const { id: projectId } = await createTestProject(database)
  const { id, key } = await make(projectId, { expiresInDays: 90 })
  const principal = { keyId: id, name: 'k', projectId, scopes: ['jobs:read'], token: null, allowedCidrs: [] }
  expect(await read(key)).toEqual({ principal, job: null, project: null })

  // Well-formed, with the right id and a valid checksum. Only the stored hash reveals the forgery.
  const forged = toKey({ id, secret: buildKey().secret })
  expect(findKeyParts(forged)?.id).toBe(id)
  expect(await read(forged)).toBeNull()
  expect(await openKeyReader({ ...deps, keyPepper: Buffer.alloc(32, 4) })(key)).toBeNull()
  expect(await read((await make(projectId, { expiresInDays: -1 })).key)).toBeNull()
  expect(await read((await make(projectId)).key)).not.toBeNull()
  await revokeKey(deps, id)
  expect(await read(key)).toBeNull()
})

test('one statement authenticates different keys and reads their jobs', async () => {
  const { database, deps, make, read, countReads } = open(await openOwnTestDatabase())
  const [own, other, deleted] = await Promise.all([1, 2, 3].map(() => createTestRun(database)))
  const valid = await make(own!.projectId)
  const foreign = await make(other!.projectId)
  const expired = await make(own!.projectId, { expiresInDays: -1 })
  const revoked = await make(own!.projectId)
  await revokeKey(deps, revoked.id)
  const dead = await make(deleted!.projectId)
  await deleteProject({ ...database, audit: COMMAND_LINE }, { projectId: deleted!.projectId, name: 'test' })

  const asked: [key: string, job: string | null, expected: string | null][] = [
    [valid.key, own!.jobId, own!.jobId],
    [valid.key, own!.jobId, own!.jobId],
    [valid.key, null, 'no job'],
    [valid.key, other!.jobId, 'no job'],
    [valid.key, `job_${'0'.repeat(26)}`, 'no job'],
    [valid.key, '\0', 'no job'],
    [valid.key, `${own!.jobId}' OR true --`, 'no job'],
    [foreign.key, other!.jobId, other!.jobId],
    [foreign.key, own!.jobId, 'no job'],
    [toKey({ id: valid.id, secret: buildKey().secret }), own!.jobId, null],
    [buildKey().key, own!.jobId, null],
    [expired.key, own!.jobId, null],
    [revoked.key, own!.jobId, null],
    [dead.key, deleted!.jobId, null],
    ['cgd_malformed', own!.jobId, null],
  ]
  const before = countReads()
  const found = await Promise.all(asked.map(([key, jobId]) => read(key, { jobId })))
  expect(countReads() - before).toBe(1)
  expect(found.map((one) => one && (one.job?.id ?? 'no job'))).toEqual(asked.map(([, , expected]) => expected))
  expect(found[0]).toBe(found[1])
  expect(found[7]?.principal).toMatchObject({ keyId: foreign.id, projectId: other!.projectId })
})

test("reads the facts about the key's project with the same statement, only if they are requested", async () => {
  const { database, make, read, countReads } = open(await openOwnTestDatabase())
  const [own, other, deleted] = await Promise.all([1, 2, 3].map(() => createTestProject(database)))
  const settings = { budgets: { maxTurns: 7 } }
  await database.prisma.project.update({ where: { id: own!.id }, data: { settings, monthlyBudgetUsd: 12.5 } })
  await database.prisma.$executeRaw`
    INSERT INTO project_spend (project_id, month, cost_usd) VALUES (${own!.id}, ${CURRENT_MONTH}, 0.25)`
  const keys = await Promise.all([own, other, deleted].map((project) => make(project!.id)))
  // The deletion of a project also revokes its keys.
  await database.prisma.project.update({ where: { id: deleted!.id }, data: { deletedAt: new Date() } })

  const [before, since] = [countReads(), performance.now()]
  const [first, plain, second, gone] = await Promise.all([
    read(keys[0]!.key, { withProject: true }),
    read(keys[0]!.key),
    read(keys[1]!.key, { withProject: true }),
    read(keys[2]!.key, { withProject: true }),
  ])
  expect(countReads() - before).toBe(1)
  expect([plain?.project, gone?.project]).toEqual([null, null])
  const facts = await readJobProjects(database, [own!.id, other!.id, deleted!.id])
  expect(facts.size).toBe(2)
  for (const [read, id] of [
    [first?.project, own!.id],
    [second?.project, other!.id],
  ] as const) {
    const { getSettings, now, readAt, ...rest } = facts.get(id)!
    expect(read).toMatchObject(rest)
    expect(read?.getSettings()).toEqual(getSettings())
    expect(now.getTime() - read!.now.getTime()).toBeGreaterThanOrEqual(0)
    expect(read?.readAt).toBeGreaterThanOrEqual(since)
    expect(read?.readAt).toBeLessThanOrEqual(readAt)
  }
  expect(first?.project?.spend).toMatchObject({ budget: 12.5, project: 0.25 })
  expect(first?.project?.getSettings().budgets.maxTurns).toBe(7)
})

test('a job is read as with Prisma, in the form and the order of the API schema', async () => {
  const { database, make, read } = open()
  const { projectId, jobId } = await createTestRun(database)
  const { key } = await make(projectId)
  const { prisma } = database
  const states: Parameters<typeof prisma.job.update>[0]['data'][] = [
    {},
    { title: 'Ti"tle\u2028', costUsd: '0.000001', inputTokens: 2_147_483_647, metadata: { b: '1', a: '2' } },
    {
      costUsd: '123456.7',
      prNumber: 7,
      prUrl: `https://example.com/${jobId}`,
      prBranch: 'b',
      prState: 'open',
      prDraft: false,
    },
    { checks: [{ name: 'links', status: 'passed', introduced: 0, preexisting: 1, findings: [] }] },
    { prChecks: 'failed', startedAt: new Date(0), summary: 'Grüße 😀' },
  ]
  for (const data of states) {
    await prisma.job.update({ where: { id: jobId }, data })
    const found = JSON.stringify((await read(key, { jobId }))?.job)
    const row = await prisma.job.findUniqueOrThrow({ where: { id: jobId } })
    expect(found).toBe(JSON.stringify(toAgentJob(row)))
    expect(found).toBe(JSON.stringify(AgentJob.parse(JSON.parse(found))))
  }
})

test('stores once when a key was used, for all calls at the same time', async () => {
  const { database, make, read } = open()
  const { id, key } = await make((await createTestProject(database)).id)
  const update = vi.spyOn(database.prisma.apiKey, 'updateMany')
  onTestFinished(() => update.mockRestore())
  const since = Date.now()
  await Promise.all([read(key), ...['0', '1'].map((digit) => read(key, { jobId: `job_${digit.repeat(26)}` }))])
  expect(update).toHaveBeenCalledTimes(1)
  const { lastUsedAt } = await database.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  expect(lastUsedAt?.getTime()).toBeGreaterThanOrEqual(since - 1)
  await read(key)
  expect(update).toHaveBeenCalledTimes(1)
})

test('a locked row of a key delays only the requests of this key', async () => {
  const { database, make, read } = open()
  const { id: projectId } = await createTestProject(database)
  const [locked, other] = [await make(projectId), await make(projectId)]
  await read(other.key)
  const client = await database.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [locked.id])
  let isDone = false
  const waiting = read(locked.key).finally(() => {
    isDone = true
  })
  expect(await read(other.key)).not.toBeNull()
  expect(isDone).toBe(false)
  await client.query('COMMIT')
  expect(await waiting).not.toBeNull()
})

test('a job token has only the scope jobs:read of its key, and does not count as a use of the key', async () => {
  const { database, make, read } = open()
  const { projectId, jobId } = await createTestRun(database)
  const { id, key } = await make(projectId)
  const { prisma } = database
  await prisma.apiKey.update({ where: { id }, data: { scopes: ['jobs:write', 'jobs:read'] } })
  const { token } = await createJobToken(
    { prisma, keyPepper, audit: COMMAND_LINE },
    { projectId, id: jobId, keyId: id },
  )
  const found = await read(token, { jobId })
  expect(found).toMatchObject({ principal: { keyId: id, projectId, scopes: ['jobs:read'], token: { jobId } } })
  expect(found?.job?.id).toBe(jobId)
  expect((await prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt).toBeNull()
  expect((await read(key))?.principal.scopes).toEqual(['jobs:write', 'jobs:read'])
})

test("does not store a key's secret", async () => {
  const { database, make } = open()
  const { id, key } = await make((await createTestProject(database)).id)
  const row = await database.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  const stored = JSON.stringify({ ...row, secretHash: Buffer.from(row.secretHash).toString('latin1') })
  expect(stored).not.toContain(findKeyParts(key)?.secret ?? key)
})

test('Postgres plans the statements once for batches of different lengths', async () => {
  const { database, make, read } = open(openTestDatabase(1))
  const { id: projectId } = await createTestProject(database)
  const keys: string[] = []
  while (keys.length < 3) keys.push((await make(projectId)).key)
  for (const withProject of [true, false]) {
    // Postgres compares the costs of five plans for known values.
    for (let n = 0; n < 10; n += 1) await Promise.all(keys.slice(n % 3).map((key) => read(key, { withProject })))
  }
  const { rows } = await database.pool.query(
    "SELECT custom_plans::int AS custom FROM pg_prepared_statements WHERE statement LIKE '%secret_hash%'",
  )
  expect(rows).toEqual([{ custom: 5 }, { custom: 5 }])
})
