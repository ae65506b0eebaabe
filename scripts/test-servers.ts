import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../packages/core/src/db/migrate-database.ts'
import { openDatabase } from '../packages/core/src/db/open-database.ts'
import { startPostgres } from '../packages/embedded-postgres/src/index.ts'
import { ensureRedisServer } from '../packages/testkit/src/databases/ensure-redis.ts'
import { makeDatabaseDir } from '../packages/testkit/src/databases/make-database-dir.ts'
import { startRedis } from '../packages/testkit/src/databases/start-redis.ts'

/** Limits the size of the write-ahead log, which may be in memory. */
const SETTINGS = ['max_wal_size=256MB']

/**
 * Starts one Postgres and one Redis for the whole test run. Each test uses a separate project and
 * queue.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await makeDatabaseDir('corrigenda-test-')
  const [postgres, redis] = await Promise.all([
    startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false, settings: SETTINGS }),
    ensureRedisServer(console.log).then(startRedis),
  ])
  await migrateDatabase({ url: postgres.url })
  await prepareServer(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  return async () => {
    await Promise.all([postgres.stop(), redis.close()])
    await rm(dir, { recursive: true, force: true })
  }
}

/**
 * Copies the migrated database before any connection to it exists. To get a separate database,
 * tests copy this template, which is faster than migrating. They copy its files, which takes half
 * the CPU time of the default strategy.
 */
async function prepareServer(url: string): Promise<void> {
  const admin = openDatabase({ url: url.replace(/\/corrigenda$/, '/postgres'), maxConnections: 1, onError: () => {} })
  await admin.pool.query('CREATE DATABASE corrigenda_template TEMPLATE corrigenda')
  // Each of the many connections hashes the password, by default 4,096 times.
  await admin.pool.query('SET scram_iterations = 1')
  await admin.pool.query(`ALTER ROLE corrigenda PASSWORD '${new URL(url).password}'`)
  await admin.close()
}
