import { expect, test } from 'vitest'
import { openUsersApi, toCookie } from '../../test-support/open-users-api.ts'

const PATH = '/dashboard/api/demo/model'
const SESSION = '/dashboard/api/session'
/** The log hides keys of known formats in any case. */
const KEY = 'key-of-a-gateway-0123456789'

type Api = Awaited<ReturnType<typeof openUsersApi>>

const signIn = async (api: Api) => {
  return toCookie((await api.ask('GET', SESSION)).headers['set-cookie'])
}

test('a visitor on the same machine can connect the demo to a model, once', async () => {
  const keys: string[] = []
  const connectModel = async (key: string) => void keys.push(key)
  const api = await openUsersApi({ demoSignIn: true, trustProxy: false, connectModel })
  const cookie = await signIn(api)
  expect((await api.ask('GET', SESSION, { cookie })).json().mayConnectModel).toBe(true)
  for (const from of [
    { address: '203.0.113.5' },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    { headers: { host: 'evil.example' } },
  ]) {
    const refused = await api.ask('POST', PATH, { cookie, body: { apiKey: KEY }, ...from })
    expect(refused.statusCode).toBeGreaterThanOrEqual(400)
    expect((await api.ask('GET', SESSION, { cookie, ...from })).json().mayConnectModel).toBe(false)
  }
  const { cookie: member } = await api.makeUser({ role: 'owner' })
  expect((await api.ask('POST', PATH, { cookie: member, body: { apiKey: KEY } })).statusCode).toBe(404)
  expect((await api.ask('POST', PATH, { cookie, body: { apiKey: 'a b c d e f g' } })).statusCode).toBe(400)
  expect(keys).toEqual([])
  const connected = await api.ask('POST', PATH, { cookie, body: { apiKey: KEY } })
  expect([connected.statusCode, connected.body]).toEqual([204, ''])
  expect(keys).toEqual([KEY])
  // The log hides the key from then on.
  api.deps.log.info({ header: `x-api-key: ${KEY}` }, 'the key is not in this line')
  expect(api.lines.at(-1)).toContain('the key is not in this line')
  expect(api.lines.join('')).not.toContain(KEY)
})

test('outside of the demo the route does not exist', async () => {
  const connectModel = async () => {}
  for (const overrides of [
    { demoSignIn: false, connectModel },
    { demoSignIn: true, trustProxy: false as const },
  ]) {
    const api = await openUsersApi(overrides)
    const { cookie } = await api.makeUser({ isAdmin: true })
    // A body that the route would reject.
    for (const body of [{ apiKey: KEY }, {}]) {
      expect((await api.ask('POST', PATH, { cookie, body })).statusCode).toBe(404)
    }
    expect((await api.ask('GET', SESSION, { cookie })).json().mayConnectModel).toBe(false)
  }
})
