import { randomUUID } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { type AuditedDeps, COMMAND_LINE } from '../audit/audit-context.ts'
import { type Database, openDatabase } from '../db/open-database.ts'
import { createProject } from '../projects/create-project.ts'

/** The database of a test, whose acts are recorded as acts of the command line. */
export interface TestDatabase extends Database, AuditedDeps {}

const shared = new Map<number, TestDatabase>()

/**
 * Opens the database that all tests share. Tests in one process that request the same pool size
 * share a pool, because opening a client and its connections takes longer than most tests.
 */
export function openTestDatabase(maxConnections = 5): TestDatabase {
  const found = shared.get(maxConnections)
  if (found) return found
  const database = audited(openDatabase({ url: inject('postgresUrl'), maxConnections, onError: () => {} }))
  shared.set(maxConnections, database)
  return database
}

/** Creates a database for the current test only, for code that reads all projects. */
export async function openOwnTestDatabase(maxConnections = 5): Promise<TestDatabase & { readonly url: string }> {
  const name = `own_${randomUUID().replaceAll('-', '')}`
  const shared = openTestDatabase(1)
  // Created by scripts/test-servers.ts.
  await shared.pool.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const database = audited(openDatabase({ url, maxConnections, onError: () => {} }))
  onTestFinished(async () => {
    await database.close()
    await shared.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  return { ...database, url }
}

const audited = (database: Database): TestDatabase => ({ ...database, audit: COMMAND_LINE })

/** Creates a project for the current test. */
export function createTestProject(database: Database, repository = 'https://github.com/acme/docs') {
  const deps = { ...audited(database), allowedRepositoryHosts: [new URL(repository).host] }
  return createProject(deps, { name: 'test', repository, baseBranch: null })
}
