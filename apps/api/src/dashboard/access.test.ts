import { KeyScope } from '@corrigenda/contracts'
import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { ACCESS, type Access, LEFT_OUT, type Needed } from '../test-support/access-table.ts'
import { listRoutes } from '../test-support/list-routes.ts'
import { makeFixtures } from '../test-support/make-fixtures.ts'
import { openUsersApi } from '../test-support/open-users-api.ts'

const QUOTA = { limit: 10_000, windowSeconds: 3600 }
const RANK = { viewer: 0, member: 1, owner: 2 } as const
type Who = 'owner' | 'member' | 'viewer' | 'stranger' | 'admin' | 'visitor'

async function open() {
  const api = await openUsersApi({ quota: QUOTA, messageQuota: QUOTA, allowedHookHosts: ['hooks.example.com'] })
  const make = async (input: Parameters<typeof api.makeUser>[0]) => (await api.makeUser(input)).cookie
  const member = await api.makeUser({ role: 'member' })
  const cookies: Record<Who, string> = {
    owner: await make({ role: 'owner' }),
    member: member.cookie,
    viewer: await make({ role: 'viewer' }),
    stranger: await make({ role: 'owner', projectId: (await api.makeProject()).id }),
    admin: await make({ isAdmin: true }),
    visitor: '',
  }
  const fixtures = makeFixtures(api, member.userId)
  /** Replaces a route's path parameters with the ids of existing objects. */
  const fill = async (path: string, access?: Access) => {
    const values = { projectId: api.project.id, ...(await access?.make?.(fixtures)) }
    return path.replace(/:(\w+)/g, (_, name: string) => (values as Record<string, string>)[name] ?? 'none')
  }
  return { api, cookies, fill }
}

/** Returns the error that the user receives, or null if the user has access. */
function findRefusal(who: Who, needed: Needed, path: string): string | null {
  const isDashboard = path.startsWith('/dashboard/')
  if (needed === 'everyone') return null
  if (who === 'visitor' || needed === 'key') return isDashboard ? '401 sign_in_required' : '401 unauthorized'
  if (needed === 'user' || who === 'admin') return null
  if (who === 'stranger' || needed === 'admin') return '404 not_found'
  return RANK[who] >= RANK[needed] ? null : '403 role_missing'
}

const toVerdict = (response: LightMyRequestResponse) => `${response.statusCode} ${response.headers['x-error-code']}`

type Setting = Awaited<ReturnType<typeof open>>

// All requests share one application, because opening one for each request would be slow.
test('every endpoint is in the access table, allows exactly the listed callers, and rejects other sites and keys', async () => {
  const setting = await open()
  const routes = (await listRoutes(setting.api.app)).filter((route) => !LEFT_OUT.test(route))
  expect(routes.length).toBeGreaterThan(50)
  const missing = routes.filter((route) => !(route in ACCESS))
  expect(missing, 'add these routes to ACCESS in test-support/access-table.ts').toEqual([])
  expect(Object.keys(ACCESS).filter((route) => !routes.includes(route))).toEqual([])
  expect(await findWrongRoles(setting)).toEqual([])
  expect(await findWrongSites(setting)).toEqual([])
})

async function findWrongRoles({ api, cookies, fill }: Setting): Promise<string[]> {
  const wrong: string[] = []
  for (const [route, access] of Object.entries(ACCESS)) {
    const [method = '', path = ''] = route.split(' ')
    for (const [who, cookie] of Object.entries(cookies) as [Who, string][]) {
      // Signing out would end the session that the other requests use.
      if (route === 'POST /dashboard/api/sign-out' && who !== 'visitor') continue
      const refusal = findRefusal(who, access.needed, path)
      // Non-members must get a 404 even if the object exists. Other rejections do not require an
      // object.
      const url = refusal === null || who === 'stranger' ? await fill(path, access) : await fill(path)
      const response = await api.ask(method, url, { cookie, ...('body' in access && { body: access.body }) })
      const isRight = refusal === null ? response.statusCode === access.ok : toVerdict(response) === refusal
      const expected = refusal ?? access.ok
      if (!isRight) wrong.push(`${route} as ${who}: ${toVerdict(response)}, not ${expected} ${response.body}`)
    }
  }
  return wrong
}

/** Headers of requests that a page on another site triggers in a browser. */
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' }
const FROM_ELSEWHERE = [
  CROSS_SITE,
  {},
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://evil.example' },
  { origin: 'null' },
  // A name of another site that resolves to this server.
  { origin: 'http://evil.example', host: 'evil.example' },
]

const EXAMPLE = 'PATCH /dashboard/api/account'

async function findWrongSites({ api, cookies, fill }: Setting): Promise<string[]> {
  const wrong: string[] = []
  const full = await api.makeKey(api.project.id, { scopes: [...KeyScope.options] })
  for (const [route, access] of Object.entries(ACCESS)) {
    const [method = '', path = ''] = route.split(' ')
    const url = await fill(path, access)
    const ask = (headers: Record<string, string>) =>
      api.app.inject({
        method: method as 'GET',
        url,
        headers: { host: 'localhost:8080', cookie: cookies.admin, ...headers },
        ...('body' in access && { payload: access.body as object }),
      })
    if (method !== 'GET' && access.needed !== 'key') {
      // All routes share the check, so one of them shows how it decides.
      const responses = await Promise.all((route === EXAMPLE ? FROM_ELSEWHERE : [CROSS_SITE]).map(ask))
      const open = responses.map(toVerdict).filter((verdict) => verdict !== '403 cross_site_request')
      if (open.length > 0) wrong.push(`${route} from another site: ${open.join(', ')}`)
      const own = route === 'POST /dashboard/api/sign-out' ? null : await ask({ origin: 'http://localhost:8080' })
      if (own && own.statusCode !== access.ok) wrong.push(`${route} from the dashboard's own page: ${toVerdict(own)}`)
    }
    if (path.startsWith('/dashboard/') && access.needed !== 'everyone') {
      const keyed = await ask({ 'sec-fetch-site': 'same-origin', authorization: `Bearer ${full.key}` })
      if (toVerdict(keyed) !== '401 sign_in_required') wrong.push(`${route} with a key: ${toVerdict(keyed)}`)
    }
  }
  return wrong
}

test('the objects of another project do not exist under the path of an own project, for owners and for keys', async () => {
  const { api, fill } = await open()
  const own = await api.makeProject()
  const { cookie } = await api.makeUser({ role: 'owner', projectId: own.id })
  const { key } = await api.makeKey(own.id, { scopes: [...KeyScope.options] })
  const senders = [{ cookie }, { headers: { authorization: `Bearer ${key}` } }]
  const found: string[] = []
  for (const [route, access] of Object.entries(ACCESS)) {
    const [method = '', path = ''] = route.split(' ')
    // Invalid requests are refused before the object is looked up.
    if (access.make === undefined || access.ok === 400) continue
    if (!(access.needed in RANK || access.needed === 'key')) continue
    for (const sender of senders) {
      // Sessions and keys cannot use the routes of the other.
      if ('cookie' in sender ? access.needed === 'key' : path.startsWith('/dashboard/')) continue
      const url = (await fill(path, access)).replace(api.project.id, own.id)
      const response = await api.ask(method, url, { ...sender, ...('body' in access && { body: access.body }) })
      if (toVerdict(response) !== '404 not_found') found.push(`${route}: ${toVerdict(response)}`)
    }
  }
  expect(found).toEqual([])
})
