import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { createKey } from './create-key.ts'
import { findProxyWarning } from './find-proxy-warning.ts'
import { revokeKey } from './revoke-key.ts'

const PUBLIC = 'https://docs.example.com'

test('reports a TRUST_PROXY that does not fit keys that are restricted to addresses', async () => {
  const database = await openOwnTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const deps = { audit: COMMAND_LINE, prisma: database.prisma, keyPepper: Buffer.alloc(32, 1) }
  const find = (trustProxy: string | false, publicUrl: string | null = PUBLIC) =>
    findProxyWarning(database, { trustProxy, publicUrl })
  const input = { projectId, name: 'office', expiresInDays: null, scopes: ['jobs:read' as const] }
  await createKey(deps, input)
  expect(await find(false)).toBeNull()
  expect(await find('uniquelocal')).toBeNull()
  const { id } = await createKey(deps, { ...input, allowedCidrs: ['203.0.113.0/24', '10.1.0.0/24'] })

  expect(await find(false)).toMatch(/^1 API key is restricted to IP addresses, but TRUST_PROXY is not set/)
  expect(await find(false, 'http://docs.internal:8080')).toBeNull()
  expect(await find(false, null)).toBeNull()
  for (const range of ['10.0.0.0/8', 'uniquelocal', '10.9.9.9, 172.16.0.0/12', 'fc00::/7'])
    expect(await find(range)).toMatch(/contains a large range \(.*\/\d+\), so a client in it can choose its address/)
  expect(await find('10.1.0.0/16')).toContain('addresses that a key allows (10.1.0.0/24)')
  for (const range of ['10.1.0.9', '10.2.0.0/24', 'loopback', '10.9.9.9,fd00::1/128'])
    expect([range, await find(range)]).toEqual([range, null])
  expect(await findProxyWarning(database, { trustProxy: (_, hop) => hop < 1, publicUrl: PUBLIC })).toBeNull()

  await revokeKey(database, id)
  expect(await find(false)).toBeNull()
})
