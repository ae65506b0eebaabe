import { openOwnTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { recordHeartbeat } from '@corrigenda/core/workers'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const WORKER = {
  host: 'h',
  pid: 1,
  version: '1',
  slots: 4,
  busy: 0,
  ...({ queue: 'redis', modelKind: 'anthropic' } as const),
  modelBaseUrl: 'https://api.anthropic.com',
  models: [],
}

test('readiness requires a worker only on request, and one that is alive', async () => {
  const database = await openOwnTestDatabase()
  const { app } = await openTestApi({ probe: database })
  const get = (url: string) => app.inject({ method: 'GET', url })
  expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
  expect((await get('/readyz?workers=0')).statusCode).toBe(200)
  const refused = await get('/readyz?workers=1')
  expectError(refused, 503, 'service_unavailable')
  expect(refused.json().error).toMatch(/^No worker is running\./)
  await recordHeartbeat(database, { id: 'w-1', ...WORKER })
  expect((await get('/readyz?workers=1')).json()).toEqual({ status: 'ready' })
  await database.pool.query(`UPDATE workers SET seen_at = now() - interval '1 minute'`)
  expect((await get('/readyz?workers=1')).statusCode).toBe(503)
  expectError(await get('/readyz?workers=yes'), 400, 'invalid_request')
})
