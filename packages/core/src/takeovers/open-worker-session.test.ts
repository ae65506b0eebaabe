import { ensurePgBouncer, startPgBouncer } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/open-database.ts'
import { readConnectionFacts } from '../db/read-connection-facts.ts'
import { claimRun } from '../runs/claim-run.ts'
import { releaseRun } from '../runs/release-run.ts'
import { openLog } from '../runtime/open-log.ts'
import { CLAIM_RULES, createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { openWorkerSession, type WorkerSessionInput } from './open-worker-session.ts'

/** Opens a session and collects its log. */
function open(url: string, onOpen: WorkerSessionInput['onOpen']) {
  let written = ''
  const destination = {
    write: (line: string) => {
      written += line
    },
  }
  const log = openLog({ level: 'info', secrets: [], destination })
  const session = openWorkerSession({ url, owner: `w-${Math.random()}`, log, onOpen })
  onTestFinished(session.close)
  return () => written
}

/** Starts a pooler in front of a database of its own. */
async function openPooled(poolMode: 'transaction' | 'session') {
  const direct = await openOwnTestDatabase()
  const directUrl = String(direct.pool.options.connectionString)
  const pooler = await startPgBouncer({
    program: await ensurePgBouncer(),
    databaseUrl: directUrl,
    poolMode,
    poolSize: 3,
  })
  onTestFinished(pooler.close)
  const database = openDatabase({ url: pooler.url, maxConnections: 8, onError: () => {} })
  onTestFinished(database.close)
  return { pooler, database, directUrl, direct }
}

const LOCKS =
  "SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database WHERE locktype = 'advisory' AND datname = current_database()"

test.each(['transaction', 'session'] as const)(
  'holds no lock through a pooler in %s mode, and reports it',
  async (poolMode) => {
    const { pooler, direct, directUrl, database } = await openPooled(poolMode)
    let opened = 0
    const onOpen = async () => {
      opened += 1
      return async () => 1_000
    }
    const written = open(pooler.url, onOpen)
    await expect.poll(written).toContain('set DATABASE_DIRECT_URL')
    expect((await direct.pool.query(LOCKS)).rowCount).toBe(0)
    open(directUrl, onOpen)
    await expect.poll(() => opened).toBe(1)
    expect((await direct.pool.query(LOCKS)).rowCount).toBe(1)
    // A pooler in session mode resets the limits that it has set.
    const hasLimits = poolMode === 'transaction'
    expect(await readConnectionFacts(database, directUrl)).toEqual({ isDirect: true, isSame: true, hasLimits })
    expect(await readConnectionFacts(database, pooler.url)).toMatchObject({ isDirect: false, isSame: true })
    const other = await openOwnTestDatabase()
    expect(await readConnectionFacts(other, directUrl)).toMatchObject({ isDirect: true, isSame: false })
  },
)

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

test('a session that keeps failing is replaced at increasing intervals', async () => {
  const database = await openOwnTestDatabase()
  let opened = 0
  const written = open(String(database.pool.options.connectionString), async () => {
    opened += 1
    throw new Error('broken')
  })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(opened).toBeGreaterThan(1)
  expect(opened).toBeLessThan(12)
  expect(written().match(/worker session lost/g)).toHaveLength(1)
})
