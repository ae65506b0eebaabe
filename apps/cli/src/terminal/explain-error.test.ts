import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { openInstance } from '@corrigenda/core/instance'
import { ConfigError } from '@corrigenda/core/runtime'
import { findFreePort } from '@corrigenda/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { explainDatabaseError, explainError } from './explain-error.ts'

/** A database without tables. */
const name = `explain_${randomUUID().replaceAll('-', '')}`
const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
const admin = new pg.Client({ connectionString: inject('postgresUrl') })
beforeAll(async () => {
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
})
afterAll(async () => {
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
})

const change = (part: 'password' | 'pathname' | 'host', value: string) => {
  const changed = new URL(url)
  changed[part] = value
  return changed.href
}
const thrown = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('the promise should reject'),
    (error: unknown) => error,
  )

test('explains database errors from Prisma, the pool and migrations with the same sentence', async () => {
  const port = await findFreePort()
  const cases: [string, string, RegExp][] = [
    [
      'closed',
      change('host', `127.0.0.1:${port}`),
      new RegExp(`^The database is unreachable at 127.0.0.1:${port}\\. `),
    ],
    ['unknown host', change('host', 'nowhere.invalid:5432'), /^The database is unreachable at nowhere\.invalid\. /],
    ['password', change('password', 'wrong-password'), /^The database rejected the user name or password\. /],
    ['name', change('pathname', '/nothing'), /^The database in DATABASE_URL does not exist\. /],
    ['no TLS', `${url}?sslmode=verify-full`, /^The database does not offer TLS\. Remove sslmode /],
    ['unmigrated', url, /^The database is not migrated\. Run "corrigenda migrate"\.$/],
  ]
  for (const [what, url, sentence] of cases) {
    const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
    const errors = [
      await thrown(openInstance(database, { secret: 'x', previousSecret: null })),
      await thrown(database.pool.query('SELECT 1 FROM instance')),
      ...(what === 'unmigrated' ? [] : [await thrown(migrateDatabase({ url }))]),
    ]
    await database.close()
    for (const error of errors) {
      expect(explainError(error), what).toMatch(sentence)
      expect(explainError(error), what).not.toMatch(
        new RegExp(`wrong-password|${new URL(url).password}|prisma|\\n`, 'i'),
      )
    }
  }
})

test('names a port that is in use and the setting that changes it', async () => {
  const [first, second] = [net.createServer(), net.createServer()]
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as net.AddressInfo
  const error = await new Promise((resolve) => second.once('error', resolve).listen(port, '127.0.0.1'))
  expect(explainError(error)).toMatch(new RegExp(`^Port ${port} is in use\\. Set PORT `))
  await new Promise((resolve) => first.close(resolve))
})

test('does not change errors that are unrelated to the database', async () => {
  const fetched = await thrown(fetch(`http://127.0.0.1:${await findFreePort()}/`))
  expect(explainDatabaseError(fetched)).toBeNull()
  expect(explainError(new Error('A sentence.'))).toBe('A sentence.')
  expect(explainError(new ConfigError(['X: is required']))).toContain('X: is required')
  expect(explainError('text')).toBe('text')
})
