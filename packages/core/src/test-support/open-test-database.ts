import { randomUUID } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../db/open-database.ts'
import { createProject } from '../projects/create-project.ts'

const shared = new Map<number, Database>()

/**
 * Opens the test run's database. Tests of one process share the pool of each size, because a client
 * and its connections cost more time than most tests.
 */
export function openTestDatabase(maxConnections = 5): Database {
  const found = shared.get(maxConnections)
  if (found) return found
  const database = openDatabase({ url: inject('postgresUrl'), maxConnections, onError: () => {} })
  shared.set(maxConnections, database)
  return database
}

/** Opens the test's own database, for code that reads all projects. */
export async function openOwnTestDatabase(maxConnections = 5): Promise<Database> {
  const name = `own_${randomUUID().replaceAll('-', '')}`
  const shared = openTestDatabase(1)
  // Created by scripts/test-servers.ts.
  await shared.pool.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const database = openDatabase({ url, maxConnections, onError: () => {} })
  onTestFinished(async () => {
    await database.close()
    await shared.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  return database
}

/** Creates the test's own project. */
export function createTestProject(database: Database, repository = 'https://github.com/acme/docs') {
  const deps = { prisma: database.prisma, allowedRepositoryHosts: [new URL(repository).host] }
  return createProject(deps, { name: 'test', repository, baseBranch: null })
}
