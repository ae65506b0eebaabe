import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openRollingServices } from '../e2e/test-support/open-rolling-services.ts'
import { enablePostgresTls } from './test-support/enable-postgres-tls.ts'
import { makeCertificates } from './test-support/make-certificates.ts'
import { openAcceptance, runCommand, toEnv } from './test-support/open-acceptance.ts'

test('every connection to Postgres verifies the certificate, also those of the queue, events and backups', async () => {
  const services = await openRollingServices()
  const { dir, start, databaseUrl } = services
  const certificates = await makeCertificates(dir, 'postgres')
  const other = await makeCertificates(dir, 'other')
  await enablePostgresTls(databaseUrl, certificates)
  const at = (query: string, host = 'localhost') =>
    ({ DATABASE_URL: `${databaseUrl.replace('127.0.0.1', host)}${query}` }) as const
  const env = toEnv(services, at(`?sslmode=verify-full&sslrootcert=${certificates.ca}`))
  const run = (own: Record<string, string>, ...args: string[]) => runCommand(services, { ...env, ...own }, ...args)

  expect(await run({}, 'migrate')).toMatchObject({ code: 0 })
  await start('api-1', env)
  await start('worker-1', env)
  const { accept } = await openAcceptance(services, env, services.urls['api-1'])
  await accept(['one', 'two'])
  expect(await run({}, 'backup', 'backup.gz')).toMatchObject({ code: 0 })
  expect((await run({}, 'doctor')).text).toMatch(/Database connections.*direct/)

  const admin = new pg.Client({ connectionString: env.DATABASE_URL })
  await admin.connect()
  onTestFinished(() => admin.end())
  const { rows } = await admin.query<{ ssl: boolean; count: number }>(
    `SELECT ssl, count(*)::int AS count FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
     WHERE backend_type = 'client backend' GROUP BY 1`,
  )
  expect(rows.map(({ ssl }) => ssl)).toEqual([true])

  const untrusted = /certificate of the database is not trusted.*sslrootcert/
  for (const command of ['migrate', 'api', 'worker', 'doctor'])
    expect((await run(at(`?sslmode=verify-full&sslrootcert=${other.ca}`), command)).text, command).toMatch(untrusted)
  const backup = await run(at(`?sslmode=require&sslrootcert=${other.ca}`), 'backup', 'other.gz')
  expect(backup.text).toMatch(untrusted)
  expect((await run(at('', '127.0.0.1'), 'migrate')).text).toMatch(/requires TLS.*sslmode=verify-full/)
  // Its first statement is Prisma's, which wraps the errors of the driver.
  const wrapped = await run(at(`?sslmode=verify-full&sslrootcert=${other.ca}`), 'project', 'list')
  expect(wrapped.text).toMatch(untrusted)
  const missing = path.join(dir, 'missing.pem')
  const config = await run(at(`?sslmode=verify-full&sslrootcert=${missing}`), 'api')
  expect(config.text).toContain(`DATABASE_URL: the file in sslrootcert cannot be read (${missing})`)
  expect(readFileSync(path.join(dir, 'backup.gz')).length).toBeGreaterThan(1000)
  console.log(`Postgres over TLS: 2 jobs, a backup; ${rows[0]?.count} connections, all encrypted and verified`)
}, 600_000)
