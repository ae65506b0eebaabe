import { expect, test } from 'vitest'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { claimRepositoryTest } from './claim-repository-test.ts'
import { createRepositoryTest } from './create-repository-test.ts'
import { getRepositoryTest } from './get-repository-test.ts'
import { recordRepositoryTest, releaseRepositoryTest } from './record-repository-test.ts'

const STEP = { name: 'host_allowed', status: 'passed', message: 'Fine.' } as const

test('one worker has a test, and what it finds is seen at once', async () => {
  const database = await openOwnTestDatabase(10)
  const { id: projectId } = await createTestProject(database)
  const ids = await Promise.all(Array.from({ length: 5 }, () => createRepositoryTest(database, projectId)))
  expect(new Set(ids).size).toBe(1)
  const id = ids[0] ?? ''
  expect(await getRepositoryTest(database, { projectId, id })).toMatchObject({ status: 'waiting', ok: null, steps: [] })
  const take = () =>
    claimRepositoryTest({ ...database, deployTargetKey: Buffer.alloc(32, 9) }, { owner: 'w', leaseSeconds: 60 })
  const claims = (await Promise.all(Array.from({ length: 5 }, take))).filter((claim) => claim !== null)
  expect(claims).toHaveLength(1)
  const held = claims[0]!
  expect(held).toMatchObject({ testId: id, projectId, baseBranch: null, target: null })
  await recordRepositoryTest(database, held, { steps: [STEP], missing: [], ok: null })
  expect(await getRepositoryTest(database, { projectId, id })).toMatchObject({ status: 'running', steps: [STEP] })
  await recordRepositoryTest(database, held, { steps: [STEP, STEP], missing: ['Contents: read and write'], ok: false })
  const done = await getRepositoryTest(database, { projectId, id })
  expect(done).toMatchObject({ status: 'done', ok: false, missing: ['Contents: read and write'] })
  expect(done.endedAt).not.toBeNull()
  // It has ended: nobody writes to it any more.
  await expect(recordRepositoryTest(database, held, { steps: [], missing: [], ok: true })).rejects.toMatchObject({
    name: 'LostLeaseError',
  })
  expect(await createRepositoryTest(database, projectId)).not.toBe(id)
})

test('a test whose worker died is begun anew by another, and the first one is fenced', async () => {
  const database = await openOwnTestDatabase(5)
  const { id: projectId } = await createTestProject(database)
  const id = await createRepositoryTest(database, projectId)
  const first = await claimRepositoryTest(
    { ...database, deployTargetKey: Buffer.alloc(32, 9) },
    { owner: 'w1', leaseSeconds: 60 },
  )
  await recordRepositoryTest(database, first!, { steps: [STEP], missing: [], ok: null })
  expect(
    await claimRepositoryTest({ ...database, deployTargetKey: Buffer.alloc(32, 9) }, { owner: 'w2', leaseSeconds: 60 }),
  ).toBeNull()
  await database.prisma.$executeRaw`UPDATE repository_tests SET lease_until = now() - interval '1 second'`
  const second = await claimRepositoryTest(
    { ...database, deployTargetKey: Buffer.alloc(32, 9) },
    { owner: 'w2', leaseSeconds: 60 },
  )
  expect(second).toMatchObject({ testId: id, attempt: 2 })
  expect((await getRepositoryTest(database, { projectId, id })).steps).toEqual([])
  await expect(recordRepositoryTest(database, first!, { steps: [STEP], missing: [], ok: true })).rejects.toMatchObject({
    name: 'LostLeaseError',
  })
  await releaseRepositoryTest(database, first!)
  expect((await getRepositoryTest(database, { projectId, id })).status).toBe('running')
  await releaseRepositoryTest(database, second!)
  expect((await getRepositoryTest(database, { projectId, id })).status).toBe('waiting')
})

test("other projects' tests do not exist, and old ones go", async () => {
  const database = await openOwnTestDatabase(5)
  const [{ id: projectId }, other] = [await createTestProject(database), await createTestProject(database)]
  const id = await createRepositoryTest(database, projectId)
  await expect(getRepositoryTest(database, { projectId: other.id, id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(createRepositoryTest(database, 'prj_none')).rejects.toMatchObject({ code: 'not_found' })
  for (let n = 0; n < 22; n += 1) {
    const held = await claimRepositoryTest(
      { ...database, deployTargetKey: Buffer.alloc(32, 9) },
      { owner: 'w', leaseSeconds: 60 },
    )
    await recordRepositoryTest(database, held!, { steps: [], missing: [], ok: true })
    await createRepositoryTest(database, projectId)
  }
  expect(await database.prisma.repositoryTest.count({ where: { projectId } })).toBe(20)
})
