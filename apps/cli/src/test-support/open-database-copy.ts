import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { openDatabase } from '@corrigenda/core/db'
import { inject } from 'vitest'
import { makeFolder } from './open-folder.ts'

/** Creates an empty, migrated database and a folder for commands that use it. */
export async function openDatabaseCopy() {
  const dir = await makeFolder()
  const name = `cli_${randomUUID().replaceAll('-', '')}`
  const admin = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, onError: () => {} })
  // Created by scripts/test-servers.ts.
  await admin.pool.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  return {
    dir,
    database,
    url,
    async close() {
      await database.close()
      await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
