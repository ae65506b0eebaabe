import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { listLiveSessions, toSessionKey } from './sessions.ts'

test('a session that is extended is live only until its longest lifetime', async () => {
  const { prisma } = openTestDatabase()
  const id = randomUUID()
  const user = { id: `usr_${id}`, name: 'Ada', email: `${id}@example.com`, isAdmin: true }
  await prisma.user.create({ data: user })
  const session = {
    id: `ses_${id}`,
    token: id,
    userId: user.id,
    createdAt: new Date(Date.now() - 3 * 86_400_000),
    expiresAt: new Date(Date.now() + 86_400_000),
  }
  await prisma.session.create({ data: session })
  const asked = { sessionId: session.id, projectId: 'prj_1' }
  expect([...(await listLiveSessions({ prisma }, [asked], 4))]).toEqual([toSessionKey(asked)])
  expect([...(await listLiveSessions({ prisma }, [asked], 2))]).toEqual([])
})
