import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/**
 * Creates a migrated database for one test. Tests cannot share one, because a worker claims every
 * due run in its database.
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  // Created by scripts/test-servers.ts.
  await admin.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  return {
    url,
    async drop() {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
