import { ensurePgBouncer, startPgBouncer } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { claimRun } from '../runs/claim-run.ts'
import { releaseRun } from '../runs/release-run.ts'
import { CLAIM_RULES, createTestRun } from '../test-support/create-test-run.ts'
import { openNewTestDatabase } from '../test-support/open-test-database.ts'
import { openDatabase } from './open-database.ts'
import { readConnectionFacts } from './read-connection-facts.ts'

/** Starts a pooler in front of a database of its own. */
async function openPooled(poolMode: 'transaction' | 'session') {
  const directUrl = String((await openNewTestDatabase()).pool.options.connectionString)
  const pooler = await startPgBouncer({
    program: await ensurePgBouncer(),
    databaseUrl: directUrl,
    poolMode,
    poolSize: 3,
  })
  onTestFinished(pooler.close)
  const database = openDatabase({ url: pooler.url, maxConnections: 8, onError: () => {} })
  onTestFinished(database.close)
  return { pooler, database, directUrl }
}

test.each(['transaction', 'session'] as const)('recognizes a pooler in %s mode', async (poolMode) => {
  const { pooler, directUrl, database } = await openPooled(poolMode)
  // A pooler in session mode resets the limits that it has set when a connection is returned to it.
  const first = openDatabase({ url: pooler.url, maxConnections: 1, onError: () => {} })
  await first.pool.query('SELECT 1')
  await first.close()
  const hasLimits = poolMode === 'transaction'
  expect(await readConnectionFacts(database, directUrl)).toEqual({ isDirect: true, isSame: true, hasLimits })
  expect(await readConnectionFacts(database, pooler.url)).toMatchObject({ isDirect: false, isSame: true })
  const other = await openNewTestDatabase()
  expect(await readConnectionFacts(other, directUrl)).toMatchObject({ isDirect: true, isSame: false })
})

test('statements and transactions work through a pooler with fewer connections', async () => {
  const { database } = await openPooled('transaction')
  const runs = await Promise.all(Array.from({ length: 12 }, () => createTestRun(database)))
  const claims = await Promise.all(
    runs.map(({ runId }) => claimRun({ ...CLAIM_RULES, ...database }, { owner: 'w', runId })),
  )
  expect(claims.filter((claim) => claim?.attempt === 1)).toHaveLength(12)
  await Promise.all(claims.map((claim) => claim && releaseRun(database, claim, { reason: 'shutdown', afterMs: null })))
  expect(await database.prisma.run.count({ where: { releases: 1, leaseUntil: null } })).toBe(12)
})
