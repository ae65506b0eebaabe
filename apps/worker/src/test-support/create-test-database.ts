import { randomUUID } from 'node:crypto'
import { migrateDatabase } from '@corrigenda/core'
import pg from 'pg'
import { inject } from 'vitest'

/** A migrated database of the test's own: a worker claims whatever run is due in its database. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  await migrateDatabase({ url })
  return {
    url,
    async drop() {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
