import { removeMember } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { findPrincipal } from '@corrigenda/core/keys'
import { expect, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openStream } from '../test-support/open-stream.ts'
import { openUsersApi, PASSWORD, toCookie } from '../test-support/open-users-api.ts'

const KEY = { name: 'ci', scopes: ['jobs:read', 'jobs:write'] }

async function open() {
  const api = await openUsersApi()
  const owner = await api.makeUser({ role: 'owner', name: 'Ada' })
  const base = `/dashboard/api/projects/${api.project.id}`
  const as =
    (cookie: string) =>
    (method: string, path: string, body?: unknown): ReturnType<typeof api.ask> =>
      api.ask(method, path.startsWith('/') ? path : `${base}/${path}`, { cookie, ...(body !== undefined && { body }) })
  return { ...api, owner, base, as, ask: as(owner.cookie), anyone: api.ask }
}

test('a key created in the dashboard works, is shown only once, and is rejected after it is revoked', async () => {
  const { ask, post, project, lines, database, owner } = await open()
  const created = await ask('POST', 'keys', { ...KEY, name: '  ci  ' })
  expect(created.statusCode).toBe(201)
  const { key, secret } = created.json()
  expect(key).toMatchObject({
    prefix: secret.slice(0, 16),
    name: 'ci',
    scopes: KEY.scopes,
    allowedCidrs: [],
    createdBy: 'Ada',
    lastUsedAt: null,
    revokedAt: null,
    status: 'active',
    rotatedFrom: null,
  })
  const days = (Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / 86_400_000
  expect(Math.round(days)).toBe(90)
  expect((await post({ prompt: 'x' }, { key: secret })).statusCode).toBe(201)
  const listed = await ask('GET', 'keys')
  expect(listed.json().keys[0]).toMatchObject({ id: key.id, lastUsedAt: expect.any(String) })
  expect(listed.body + lines.join('')).not.toContain(secret.slice(17))
  const revoked = await ask('POST', `keys/${key.id}/revoke`)
  expect(revoked.json().key).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) })
  expectError(await post({ prompt: 'x' }, { key: secret }), 401, 'unauthorized')
  expect((await ask('POST', `keys/${key.id}/revoke`)).json()).toEqual(revoked.json())
  const own = (await ask('POST', `/v2/agent/${project.id}/job`, { prompt: 'x' })).json()
  const jobs = await database.prisma.job.findMany({ where: { projectId: project.id }, orderBy: { createdAt: 'asc' } })
  expect(jobs.map((job) => [job.id === own.id, job.createdBy])).toEqual([
    [false, key.id],
    [true, owner.userId],
  ])
  await ask('POST', `/v2/agent/${project.id}/job/${own.id}/message`, { prompt: 'y' })
  expect(await database.prisma.jobMessage.findMany({ where: { jobId: own.id } })).toMatchObject([
    { createdBy: owner.userId },
  ])
})

test('a rotated key works until its grace period ends, and its successor has the same settings', async () => {
  const { ask, post, database } = await open()
  const first = (await ask('POST', 'keys', { ...KEY, expiresInDays: 30, allowedCidrs: ['127.0.0.1', '::1'] })).json()
  const rotated = await ask('POST', `keys/${first.key.id}/rotate`, { graceSeconds: 900 })
  expect(rotated.statusCode).toBe(201)
  const { key, secret } = rotated.json()
  expect(key).toMatchObject({ name: 'ci', rotatedFrom: first.key.id, allowedCidrs: ['127.0.0.1/32', '::1/128'] })
  expect(Math.round((Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / 86_400_000)).toBe(30)
  for (const one of [first.secret, secret]) expect((await post({ prompt: 'x' }, { key: one })).statusCode).toBe(201)
  const old = (await ask('GET', 'keys')).json().keys.find((one: { id: string }) => one.id === first.key.id)
  expect(Date.parse(old.expiresAt) - Date.now()).toBeLessThanOrEqual(900_000)
  expectError(await ask('POST', `keys/${first.key.id}/rotate`, { graceSeconds: 86_400 }), 409, 'key_inactive')
  await database.prisma.apiKey.update({ where: { id: first.key.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  expectError(await post({ prompt: 'x' }, { key: first.secret }), 401, 'unauthorized')

  const mistyped = await ask('POST', `keys/${key.id}/rotate`, { graceSeconds: 0, expiresIn: 7 })
  expectError(mistyped, 400, 'invalid_request')
  const again = await ask('POST', `keys/${key.id}/rotate`, { graceSeconds: 0 })
  expectError(await post({ prompt: 'x' }, { key: secret }), 401, 'unauthorized')
  expect((await post({ prompt: 'x' }, { key: again.json().secret })).statusCode).toBe(201)
  expectError(await ask('POST', `keys/${key.id}/rotate`, { graceSeconds: 0 }), 409, 'key_inactive')
})

test('rejects invalid key settings and more than ten keys per hour, and returns 404 for keys of other projects', async () => {
  const { ask, makeProject, makeKey, deps } = await open()
  for (const wrong of [
    { ...KEY, name: ' ' },
    { ...KEY, scopes: [] },
    { ...KEY, scopes: ['admin'] },
    { ...KEY, expiresInDays: 365 },
    { ...KEY, allowedCidrs: ['10.0.0.0/99'] },
  ]) {
    expectError(await ask('POST', 'keys', wrong), 400, 'invalid_request')
  }
  const foreign = await makeKey((await makeProject()).id)
  expectError(await ask('POST', `keys/${foreign.id}/revoke`), 404, 'not_found')
  expectError(await ask('POST', `keys/${foreign.id}/rotate`, { graceSeconds: 0 }), 404, 'not_found')
  expect(await findPrincipal(deps, foreign.key)).not.toBeNull()
  const tries = await Promise.all(
    Array.from({ length: 14 }, () => ask('POST', 'keys', { ...KEY, expiresInDays: null })),
  )
  expect(tries.filter((one) => one.statusCode === 201)).toHaveLength(10)
  const limited = tries.find((one) => one.statusCode === 429)
  expect([limited?.headers['x-error-code'], Number(limited?.headers['retry-after'])]).toEqual([
    'key_rate_exceeded',
    expect.toSatisfy((seconds: number) => seconds > 3000 && seconds <= 3600),
  ])
  const [created] = tries.filter((one) => one.statusCode === 201)
  expectError(await ask('POST', `keys/${created?.json().key.id}/rotate`, { graceSeconds: 0 }), 429, 'key_rate_exceeded')
})

test('an invitation creates exactly one account and membership, even if many users accept it at the same time', async () => {
  const { ask, anyone, as, base, owner } = await open()
  const created = await ask('POST', 'invitations', { role: 'member', email: null })
  const { id, url } = created.json()
  const token = url.split('/').at(-1)
  expect(url).toBe(`http://localhost:8080/invitations/${token}`)
  const path = `/dashboard/api/invitations/${token}`
  expect((await anyone('GET', path)).json()).toEqual({ projectName: 'test', role: 'member', email: null })
  const list = await ask('GET', 'members')
  expect(list.json()).toMatchObject({
    members: [{ userId: owner.userId, name: 'Ada', role: 'owner', you: true }],
    invitations: [{ id, email: null, role: 'member', createdBy: 'Ada' }],
  })
  expect(list.body).not.toContain(token)
  expectError(await anyone('POST', `${path}/accept`, { body: {} }), 401, 'sign_in_required')
  const short = { name: 'Bob', email: 'bob@example.com', password: 'short' }
  expectError(await anyone('POST', `${path}/accept`, { body: short }), 400, 'invalid_request')

  const tries = await Promise.all(
    Array.from({ length: 3 }, (_, i) =>
      anyone('POST', `${path}/accept`, { body: { name: 'Bob', email: `bob${i}@example.com`, password: PASSWORD } }),
    ),
  )
  const [joined, ...more] = tries.filter((one) => one.statusCode === 200)
  expect(more).toEqual([])
  for (const one of tries) if (one !== joined) expectError(one, 404, 'not_found')
  const bob = as(toCookie(joined?.headers['set-cookie']))
  expect((await bob('GET', '/dashboard/api/projects')).json().projects).toMatchObject([{ role: 'member' }])
  expect((await bob('GET', '/dashboard/api/session')).json().user.isAdmin).toBe(false)
  expect((await bob('GET', 'members')).json().invitations).toEqual([])
  expectError(await anyone('GET', path), 404, 'not_found')
  expect(joined?.json()).toEqual({ projectId: base.split('/').at(-1) })
})

test('an invitation works only for its email address, stops working when it expires or is revoked, and never lowers a role', async () => {
  const { ask, anyone, as, makeUser, database, owner } = await open()
  const invite = async (body: object) => {
    const { id, url } = (await ask('POST', 'invitations', body)).json()
    return { id, path: `/dashboard/api/invitations/${url.split('/').at(-1)}` }
  }
  const guest = await makeUser()
  const other = await makeUser()
  const forGuest = await invite({ role: 'viewer', email: guest.email.toUpperCase() })
  expectError(await as(other.cookie)('POST', `${forGuest.path}/accept`, {}), 403, 'invitation_email_mismatch')
  const stranger = { name: 'Eve', email: 'eve@example.com', password: PASSWORD }
  expectError(await anyone('POST', `${forGuest.path}/accept`, { body: stranger }), 403, 'invitation_email_mismatch')
  const taken = { name: 'Eve', email: guest.email, password: PASSWORD }
  expectError(await anyone('POST', `${forGuest.path}/accept`, { body: taken }), 409, 'account_exists')
  expect((await as(guest.cookie)('POST', `${forGuest.path}/accept`, {})).statusCode).toBe(200)

  const late = await invite({ role: 'viewer' })
  await database.prisma.invitation.update({ where: { id: late.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  const deleted = await invite({ role: 'viewer' })
  expect((await ask('DELETE', `invitations/${deleted.id}`)).statusCode).toBe(204)
  for (const { path } of [late, deleted]) {
    expectError(await anyone('GET', path), 404, 'not_found')
    expectError(await as(other.cookie)('POST', `${path}/accept`, {}), 404, 'not_found')
  }
  const lower = await invite({ role: 'viewer' })
  expect((await ask('POST', `${lower.path}/accept`, {})).statusCode).toBe(200)
  const { members } = (await ask('GET', 'members')).json()
  expect(members.find((one: { userId: string }) => one.userId === owner.userId).role).toBe('owner')
})

test('an invitation for an address verifies it only if an admin or the command line created it', async () => {
  const api = await openUsersApi()
  const { prisma } = api.database
  const admin = await api.makeUser({ isAdmin: true })
  const owner = await api.makeUser({ role: 'owner' })
  const accept = async (cookie: string, invited: string | null, email: string, guest = '') => {
    const path = `/dashboard/api/projects/${api.project.id}/invitations`
    const { url } = (await api.ask('POST', path, { cookie, body: { role: 'viewer', email: invited } })).json()
    const body = guest === '' ? { name: 'Bob', email, password: 'a good long password' } : {}
    const to = `/dashboard/api/invitations/${url.split('/').at(-1)}/accept`
    expect((await api.ask('POST', to, { cookie: guest, body })).statusCode).toBeLessThan(300)
    return (await prisma.user.findUniqueOrThrow({ where: { email } })).emailVerified
  }
  expect(await accept(owner.cookie, 'a@example.com', 'a@example.com')).toBe(false)
  expect(await accept(admin.cookie, null, 'b@example.com')).toBe(false)
  expect(await accept(admin.cookie, 'c@example.com', 'c@example.com')).toBe(true)
  const user = await api.makeUser()
  expect(await accept(owner.cookie, user.email, user.email, user.cookie)).toBe(false)
  expect(await accept(admin.cookie, user.email, user.email, user.cookie)).toBe(true)
  const path = `/dashboard/api/projects/${api.project.id}/members`
  const { members } = (await api.ask('GET', path, { cookie: admin.cookie })).json()
  expect(members.find(({ email }: { email: string }) => email === 'b@example.com').emailVerified).toBe(false)
})

test('a project keeps an owner even if two owners remove each other, and a removed member loses access immediately', async () => {
  const { ask, as, makeUser, owner, project, database, makeProject } = await open()
  expectError(await ask('PATCH', `members/${owner.userId}`, { role: 'member' }), 409, 'last_owner')
  expectError(await ask('DELETE', `members/${owner.userId}`), 409, 'last_owner')
  const second = await makeUser({ role: 'owner' })
  const both = await Promise.all([
    ask('DELETE', `members/${second.userId}`),
    as(second.cookie)('DELETE', `members/${owner.userId}`),
  ])
  // The second request fails, because its sender was already removed or would have removed the last
  // owner.
  expect(both.filter((one) => one.statusCode === 204)).toHaveLength(1)
  const [loser] = both[0].statusCode === 204 ? [second] : [owner]
  expectError(await as(loser.cookie)('GET', 'members'), 404, 'not_found')
  expectError(await as(loser.cookie)('GET', `/v2/agent/${project.id}/jobs`), 404, 'not_found')
  const winner = loser === second ? owner : second
  // The same race with many owners, without HTTP.
  const owners = Array.from({ length: 12 }, (_, i) => `race-${i}`)
  await database.prisma.user.createMany({ data: owners.map((id) => ({ id, name: id, email: `${id}@example.com` })) })
  const other = await makeProject()
  const membership = (userId: string) => ({ userId, projectId: other.id, role: 'owner' as const })
  await database.prisma.membership.createMany({ data: owners.map(membership) })
  await Promise.allSettled(
    owners.map((userId) => removeMember({ ...database, audit: COMMAND_LINE }, { projectId: other.id, userId })),
  )
  expect(await database.prisma.membership.count({ where: { projectId: other.id } })).toBe(1)
  const third = await makeUser({ role: 'member' })
  expect((await as(third.cookie)('DELETE', `members/${third.userId}`)).statusCode).toBe(204)
  expectError(await as(winner.cookie)('PATCH', `members/${third.userId}`, { role: 'viewer' }), 404, 'not_found')
})

test('an admin can create a project, and an owner can delete it by confirming its name', async () => {
  const { as, makeUser, post, project, ask } = await open()
  const admin = as((await makeUser({ isAdmin: true })).cookie)
  const body = { name: 'Docs', repository: 'https://github.com/acme/docs' }
  const created = await admin('POST', '/dashboard/api/projects', body)
  expect([created.statusCode, created.json()]).toEqual([
    201,
    expect.objectContaining({
      ...body,
      role: 'owner',
      baseBranch: null,
      activeJobs: 0,
      jobDefaults: { draft: false, dedupe: false },
    }),
  ])
  const wrong = await admin('POST', '/dashboard/api/projects', { ...body, repository: 'https://evil.example/a/b' })
  expectError(wrong, 400, 'invalid_request')
  expect(wrong.json().error).toContain('ALLOWED_REPOSITORY_HOSTS')
  const { id } = (await post({ prompt: 'x' })).json()
  expect((await ask('GET', '/dashboard/api/projects')).json().projects).toMatchObject([{ activeJobs: 1 }])
  const path = `/dashboard/api/projects/${project.id}`
  expectError(await ask('DELETE', path, { name: 'tes' }), 400, 'invalid_request')
  expect((await ask('DELETE', path, { name: 'test' })).statusCode).toBe(204)
  expectError(await ask('DELETE', path, { name: 'test' }), 404, 'not_found')
  // An admin may read every project that exists.
  for (const read of [`/v2/agent/${project.id}/job/${id}`, `/dashboard/api/projects/${project.id}/keys`]) {
    expectError(await admin('GET', read), 404, 'not_found')
  }
  const listed = (await admin('GET', '/dashboard/api/projects')).json().projects
  expect(listed.map((one: { id: string }) => one.id)).not.toContain(project.id)
  expectError(await ask('GET', `/v2/agent/${project.id}/jobs`), 404, 'not_found')
  expectError(await post({ prompt: 'x' }), 401, 'unauthorized')
})

test("a user's event stream ends when the user signs out or is removed from the project", async () => {
  const { listen, as, makeUser, post, project, ask } = await open()
  const origin = await listen()
  const { id } = (await post({ prompt: 'x' })).json()
  const url = `${origin}/v2/agent/${project.id}/job/${id}/events`
  const guests = [await makeUser({ role: 'viewer' }), await makeUser({ role: 'viewer' })] as const
  const admin = await makeUser({ isAdmin: true })
  const streams = await Promise.all([...guests, admin].map(({ cookie }) => openStream(url, { cookie })))
  await expect.poll(() => streams.map((one) => one.events.length)).toEqual([1, 1, 1])
  expect((await as(guests[0].cookie)('POST', '/dashboard/api/sign-out')).statusCode).toBe(204)
  expect((await ask('DELETE', `members/${guests[1].userId}`)).statusCode).toBe(204)
  expect(await Promise.all(streams.slice(0, 2).map((one) => one.ended))).toEqual([true, true])
  // The stream of the user who still has access continues.
  expect((await ask('POST', `/v2/agent/${project.id}/job/${id}/cancel`)).statusCode).toBe(200)
  expect(await streams[2]?.ended).toBe(true)
  expect(streams[2]?.events.at(-1)?.event).toBe('job.failed')
})

test('members manage only the keys that they created and cannot create keys that manage webhooks', async () => {
  const api = await open()
  const { ask, as } = api
  const member = as((await api.makeUser({ role: 'member', name: 'Bob' })).cookie)
  const ofOwner = (await ask('POST', 'keys', { ...KEY, scopes: ['jobs:write', 'webhooks:write'] })).json().key
  expect(ofOwner.canManage).toBe(true)
  expectError(await member('POST', 'keys', { ...KEY, scopes: ['jobs:read', 'webhooks:write'] }), 403, 'role_missing')
  const own = (await member('POST', 'keys', KEY)).json()
  const webhooks = `/v1/project/${api.project.id}/webhooks`
  const add = (key: string) =>
    api.app.inject({
      method: 'POST',
      url: webhooks,
      payload: { url: 'https://attacker.example/steal' },
      headers: { authorization: `Bearer ${key}` },
    })
  expectError(await add(own.secret), 403, 'scope_missing')
  expectError(await member('POST', `keys/${ofOwner.id}/rotate`, { graceSeconds: 0 }), 403, 'role_missing')
  expectError(await member('POST', `keys/${ofOwner.id}/revoke`), 403, 'role_missing')
  const listed = (await member('GET', 'keys')).json().keys as { id: string; canManage: boolean; status: string }[]
  expect(listed.map(({ id, canManage, status }) => [id === own.key.id, canManage, status])).toEqual([
    [true, true, 'active'],
    [false, false, 'active'],
    // Created on the command line.
    [false, false, 'active'],
  ])
  expect((await member('POST', `keys/${own.key.id}/rotate`, { graceSeconds: 0 })).statusCode).toBe(201)
  const another = (await member('POST', 'keys', KEY)).json().key
  expect((await ask('POST', `keys/${another.id}/revoke`)).statusCode).toBe(200)
  // A mistyped restriction does not create an unrestricted key.
  const mistyped = await member('POST', 'keys', { ...KEY, allowedCidr: ['10.0.0.0/8'] })
  expectError(mistyped, 400, 'invalid_request')
  expect(mistyped.body).toContain('allowedCidr')
})
