import { inject, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../db/open-database.ts'
import { createProject } from '../projects/create-project.ts'

/** The test run's database, over a pool that ends with the test. */
export function openTestDatabase(maxConnections = 5): Database {
  const database = openDatabase({ url: inject('postgresUrl'), maxConnections, onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

/** A project of the test's own. */
export function createTestProject(database: Database, repository = 'https://github.com/acme/docs') {
  const deps = { prisma: database.prisma, allowedRepositoryHosts: [new URL(repository).host] }
  return createProject(deps, { name: 'test', repository, baseBranch: null })
}
