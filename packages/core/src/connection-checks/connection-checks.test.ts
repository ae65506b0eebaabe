import { expect, test } from 'vitest'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import {
  claimConnectionCheck,
  createConnectionCheck,
  getConnectionCheck,
  recordConnectionCheck,
  releaseConnectionCheck,
} from './connection-checks.ts'

const STEP = { name: 'host_allowed', status: 'passed', message: 'Fine.' } as const

test('assigns a check to one worker and shows its steps immediately', async () => {
  const database = await openOwnTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const ids = await Promise.all(Array.from({ length: 5 }, () => createConnectionCheck(database, projectId)))
  expect(new Set(ids).size).toBe(1)
  const id = ids[0] ?? ''
  expect(await getConnectionCheck(database, { projectId, id })).toMatchObject({
    status: 'waiting',
    ok: null,
    steps: [],
  })
  const take = () =>
    claimConnectionCheck({ ...database, deployTargetKey: Buffer.alloc(32, 9) }, { owner: 'w', leaseSeconds: 60 })
  const claims = (await Promise.all(Array.from({ length: 5 }, take))).filter((claim) => claim !== null)
  expect(claims).toHaveLength(1)
  const held = claims[0]!
  expect(held).toMatchObject({ checkId: id, projectId, baseBranch: null, target: null })
  // Postgres does not store this character, which a Git host could return.
  const odd = { ...STEP, message: 'a\u0000b' }
  await recordConnectionCheck(database, held, { steps: [odd], missing: [], ok: null })
  const [stored] = (await getConnectionCheck(database, { projectId, id })).steps
  expect(stored?.message).not.toContain('\u0000')
  await recordConnectionCheck(database, held, { steps: [STEP], missing: [], ok: null })
  expect(await getConnectionCheck(database, { projectId, id })).toMatchObject({ status: 'running', steps: [STEP] })
  await recordConnectionCheck(database, held, { steps: [STEP, STEP], missing: ['Contents: read and write'], ok: false })
  const done = await getConnectionCheck(database, { projectId, id })
  expect(done).toMatchObject({ status: 'done', ok: false, missing: ['Contents: read and write'] })
  expect(done.endedAt).not.toBeNull()
  // The check has ended, so it is read-only.
  await expect(recordConnectionCheck(database, held, { steps: [], missing: [], ok: true })).rejects.toMatchObject({
    name: 'LostLeaseError',
  })
  expect(await createConnectionCheck(database, projectId)).not.toBe(id)
})

test("restarts a crashed worker's check on another worker and rejects writes from the first", async () => {
  const database = await openOwnTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const id = await createConnectionCheck(database, projectId)
  const first = await claimConnectionCheck(
    { ...database, deployTargetKey: Buffer.alloc(32, 9) },
    { owner: 'w1', leaseSeconds: 60 },
  )
  await recordConnectionCheck(database, first!, { steps: [STEP], missing: ['Contents: read and write'], ok: null })
  expect(
    await claimConnectionCheck(
      { ...database, deployTargetKey: Buffer.alloc(32, 9) },
      { owner: 'w2', leaseSeconds: 60 },
    ),
  ).toBeNull()
  await database.prisma.$executeRaw`UPDATE repository_tests SET lease_until = now() - interval '1 second'`
  const second = await claimConnectionCheck(
    { ...database, deployTargetKey: Buffer.alloc(32, 9) },
    { owner: 'w2', leaseSeconds: 60 },
  )
  expect(second).toMatchObject({ checkId: id, attempt: 2 })
  expect(await getConnectionCheck(database, { projectId, id })).toMatchObject({ steps: [], missing: [] })
  await expect(recordConnectionCheck(database, first!, { steps: [STEP], missing: [], ok: true })).rejects.toMatchObject(
    {
      name: 'LostLeaseError',
    },
  )
  await releaseConnectionCheck(database, first!)
  expect((await getConnectionCheck(database, { projectId, id })).status).toBe('running')
  await releaseConnectionCheck(database, second!)
  expect((await getConnectionCheck(database, { projectId, id })).status).toBe('waiting')
})

test("returns not_found for other projects' checks and deletes old checks", async () => {
  const database = await openOwnTestDatabase()
  const [{ id: projectId }, other] = [await createTestProject(database), await createTestProject(database)]
  const id = await createConnectionCheck(database, projectId)
  await expect(getConnectionCheck(database, { projectId: other.id, id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(createConnectionCheck(database, 'prj_none')).rejects.toMatchObject({ code: 'not_found' })
  let last = id
  for (let n = 0; n < 22; n += 1) {
    const held = await claimConnectionCheck(
      { ...database, deployTargetKey: Buffer.alloc(32, 9) },
      { owner: 'w', leaseSeconds: 60 },
    )
    await recordConnectionCheck(database, held!, { steps: [], missing: [], ok: true })
    last = await createConnectionCheck(database, projectId)
  }
  expect(await database.prisma.repositoryTest.count({ where: { projectId } })).toBe(20)
  expect(await getConnectionCheck(database, { projectId, id: last })).toMatchObject({ status: 'waiting' })
  await expect(getConnectionCheck(database, { projectId, id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a check contains the sources of the project when it is claimed, and stores a step for each', async () => {
  const database = await openOwnTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const id = await createConnectionCheck(database, projectId)
  const source = { name: 'api', repository: 'https://github.com/acme/api', mayUseInstanceCredential: true }
  await database.prisma.project.update({ where: { id: projectId }, data: { settings: { sources: [source] } } })
  const claim = await claimConnectionCheck(
    { ...database, deployTargetKey: Buffer.alloc(32, 9) },
    { owner: 'w', leaseSeconds: 60 },
  )
  expect(claim?.sources).toEqual([{ ...source, ref: null, paths: [], visibility: null, cite: null, quotable: [] }])
  const step = { name: 'source', source: 'api', status: 'failed', message: 'Empty.', optional: true } as const
  await recordConnectionCheck(database, claim!, { steps: [STEP, step], missing: [], ok: true })
  expect((await getConnectionCheck(database, { projectId, id })).steps).toEqual([STEP, step])
})

test('concurrent requests get the same check', async () => {
  const database = await openOwnTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const { ids } = await database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR UPDATE`
    const both = [1, 2].map(() => createConnectionCheck(database, projectId))
    const isWaiting = () =>
      database.prisma.$queryRaw<unknown[]>`
        SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND datname = current_database()`
    await expect.poll(async () => (await isWaiting()).length).toBe(2)
    return { ids: Promise.all(both) }
  })
  expect(new Set(await ids).size).toBe(1)
})

test('claims the oldest check, and none of a deleted project', async () => {
  const database = await openOwnTestDatabase()
  const projects = [await createTestProject(database), await createTestProject(database)]
  const [newer, older] = [projects[0]!.id, projects[1]!.id]
  await createConnectionCheck(database, newer)
  await createConnectionCheck(database, older)
  await database.prisma.$executeRaw`
    UPDATE repository_tests SET created_at = created_at - interval '1 minute' WHERE project_id = ${older}`
  const take = () =>
    claimConnectionCheck({ ...database, deployTargetKey: Buffer.alloc(32, 9) }, { owner: 'w', leaseSeconds: 60 })
  expect((await take())?.projectId).toBe(older)
  await database.prisma.project.update({ where: { id: newer }, data: { deletedAt: new Date() } })
  expect(await take()).toBeNull()
  await expect(createConnectionCheck(database, newer)).rejects.toMatchObject({ code: 'not_found' })
})
