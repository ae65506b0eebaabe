import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../app.ts'
import type { ApiDeps } from '../http/deps.ts'
import { BROWSER, openUsersApi, PASSWORD, toCookie } from '../test-support/open-users-api.ts'

const OLD = Buffer.alloc(32, 9)
const NEW = Buffer.alloc(32, 19)

async function open() {
  const api = await openUsersApi()
  const { email, cookie } = await api.makeUser({ role: 'owner' })
  /** Sends a request to a process with other keys on the same database. */
  const askWith = async (
    keys: Pick<ApiDeps, 'authKey' | 'otherAuthKey'>,
    url: string,
    cookies: string,
    body?: object,
  ) => {
    const app = await buildApp({ ...api.deps, ...keys })
    const headers = { 'sec-fetch-site': 'same-origin', host: 'localhost:8080', origin: 'http://localhost:8080' }
    const response = await app.inject({
      method: body ? 'POST' : 'GET',
      url,
      headers: { ...headers, cookie: cookies, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    await app.close()
    return response
  }
  return { api, email, cookie, askWith }
}

test('a session survives a change of secret as long as the other secret is configured', async () => {
  const { cookie, askWith } = await open()
  const status = async (keys: Pick<ApiDeps, 'authKey' | 'otherAuthKey'>, cookies = cookie) =>
    (await askWith(keys, '/dashboard/api/account', cookies)).statusCode
  expect(await status({ authKey: OLD, otherAuthKey: null })).toBe(200)
  expect(await status({ authKey: NEW, otherAuthKey: OLD })).toBe(200)
  expect(await status({ authKey: NEW, otherAuthKey: null })).toBe(401)
  const forged = cookie.slice(0, -8) + encodeURIComponent('AAAAAA==')
  expect(await status({ authKey: NEW, otherAuthKey: OLD }, forged)).toBe(401)
})

test('a sign-in during a rotation is accepted by every process', async () => {
  const { email, askWith } = await open()
  const keys = { authKey: OLD, otherAuthKey: NEW }
  const signedIn = await askWith(keys, '/dashboard/api/sign-in', '', { email, password: PASSWORD })
  const cookie = toCookie(signedIn.headers['set-cookie'])
  for (const other of [{ authKey: OLD, otherAuthKey: null }, keys, { authKey: NEW, otherAuthKey: OLD }]) {
    expect((await askWith(other, '/dashboard/api/account', cookie)).statusCode).toBe(200)
  }
})

test('an invitation from before the change can be accepted', async () => {
  const { api, cookie, askWith } = await open()
  const invited = await api.ask('POST', `/dashboard/api/projects/${api.project.id}/invitations`, {
    cookie,
    body: { role: 'viewer', email: null },
  })
  const token = (JSON.parse(invited.body) as { url: string }).url.split('/').at(-1)
  const look = async (keys: Pick<ApiDeps, 'authKey' | 'otherAuthKey'>) =>
    (await askWith(keys, `/dashboard/api/invitations/${token}`, '')).statusCode
  expect(await look({ authKey: NEW, otherAuthKey: OLD })).toBe(200)
  expect(await look({ authKey: NEW, otherAuthKey: null })).toBe(404)
})

test('a running process signs in users with the new key as soon as it is active', async () => {
  const { api, email, askWith } = await open()
  let keys: Pick<ApiDeps, 'authKey' | 'otherAuthKey'> = { authKey: OLD, otherAuthKey: NEW }
  const app = await buildApp(
    Object.defineProperties(
      { ...api.deps },
      { authKey: { get: () => keys.authKey }, otherAuthKey: { get: () => keys.otherAuthKey } },
    ),
  )
  onTestFinished(() => app.close())
  const signIn = async () => {
    const payload = { email, password: PASSWORD }
    const response = await app.inject({ method: 'POST', url: '/dashboard/api/sign-in', headers: BROWSER, payload })
    return toCookie(response.headers['set-cookie'])
  }
  const status = async (cookies: string) =>
    (await askWith({ authKey: NEW, otherAuthKey: null }, '/dashboard/api/account', cookies)).statusCode
  const before = await signIn()
  expect(await status(before)).toBe(401)
  keys = { authKey: NEW, otherAuthKey: OLD }
  expect(await status(await signIn())).toBe(200)
  const kept = await app.inject({ url: '/dashboard/api/account', headers: { ...BROWSER, cookie: before } })
  expect(kept.statusCode).toBe(200)
})
