import { expect, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'

const FORMS = ['203.0.113.9:50001', '[::ffff:203.0.113.9]:50002', '::ffff:cb00:7109', '203.0.113.9', '203.0.113.9:1']

test('limits of an IP address apply to all its forms and ports', async () => {
  const api = await openTestApi({ failedAuthRateLimit: 3 })
  const edge = await openTestApi({ edgeRateLimit: 4 })
  const ask = async ({ get }: typeof api, address: string) =>
    (await get('/v2/agent/none/jobs', { authorization: 'Bearer wrong', 'x-forwarded-for': address })).statusCode
  const statuses: number[][] = []
  for (const address of FORMS) statuses.push([await ask(api, address), await ask(edge, address)])
  expect(statuses).toEqual([...[1, 2, 3].map(() => [401, 401]), [429, 401], [429, 429]])
  expect(await ask(api, '203.0.113.10:50001')).toBe(401)
})

test.each([
  ['203.0.113.9:50001, 10.0.0.9:443', '203.0.113.9'],
  ['1.1.1.1, [2001:DB8:0::1]:443,[::ffff:10.0.0.9]', '2001:db8::1'],
  ['1.1.1.1, unknown', 'unknown'],
  ['1.1.1.1, 203.0.113.9:port', '203.0.113.9:port'],
])('with trusted proxies, the client of %s is %s', async (forwarded, expected) => {
  const { get, lines } = await openTestApi({ trustProxy: 'loopback,10.0.0.9' })
  await get('/v1/nope', { 'x-forwarded-for': forwarded })
  expect(lines.map((line) => JSON.parse(line).ip)).toContain(expected)
})

test('an IPv4 client of a socket for both protocols has its IPv4 address', async () => {
  const { app, lines } = await openTestApi({ trustProxy: false })
  const headers = { 'x-forwarded-for': '1.1.1.1' }
  await app.inject({ url: '/v1/nope', headers, remoteAddress: '::ffff:203.0.113.9' })
  expect(lines.map((line) => JSON.parse(line).ip)).toContain('203.0.113.9')
})
