import { createInvitation, deleteUser, removeMember, setAdmin } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import type { Db } from '@corrigenda/core/internal/db/open-database'
import { revokeProjectKey } from '@corrigenda/core/keys'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openUsersApi, PASSWORD, toCookie } from '../../test-support/open-users-api.ts'

const ACCOUNT = '/dashboard/api/account'
const USERS = '/dashboard/api/ops/people'

async function open() {
  const api = await openUsersApi()
  const { prisma } = api.database
  const as =
    (cookie: string) =>
    (method: string, path: string, body?: unknown): ReturnType<typeof api.ask> =>
      api.ask(method, path, { cookie, ...(body !== undefined && { body }) })
  const user = async (cookie: string) => (await api.ask('GET', '/dashboard/api/session', { cookie })).json().user
  /** Makes an account's sessions too old to count as fresh. */
  const stale = (userId: string) =>
    prisma.session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 601_000) } })
  return { ...api, prisma, as, user, stale }
}

test('users can read their account, and confirming the password makes the session fresh', async () => {
  const { makeUser, as, stale, user, signIn, project } = await open()
  const { userId, email, cookie } = await makeUser({ role: 'owner', isAdmin: true })
  const ask = as(cookie)
  expect((await ask('GET', ACCOUNT)).json()).toEqual({
    id: userId,
    name: 'Test User',
    email,
    isAdmin: true,
    createdAt: expect.any(String),
    hasPassword: true,
    providers: [],
    freshUntil: expect.any(String),
    lastOwnerOf: [{ id: project.id, name: 'test' }],
    isLastAdmin: true,
  })
  const elsewhere = await signIn(email)
  await stale(userId)
  expect(Date.parse((await ask('GET', ACCOUNT)).json().freshUntil)).toBeLessThan(Date.now())
  expectError(await ask('DELETE', ACCOUNT, { email }), 403, 'fresh_sign_in_required')
  expectError(await ask('POST', `${ACCOUNT}/confirm`, { password: 'not the password' }), 403, 'password_wrong')
  const confirmed = await ask('POST', `${ACCOUNT}/confirm`, { password: PASSWORD })
  expect(confirmed.statusCode).toBe(204)
  const fresh = toCookie(confirmed.headers['set-cookie'])
  expect(Date.parse((await as(fresh)('GET', ACCOUNT)).json().freshUntil)).toBeGreaterThan(Date.now() + 590_000)
  // The fresh session replaces the previous one. Other sessions are unchanged.
  expect([await user(cookie), (await user(elsewhere)).id]).toEqual([null, userId])
  const tries = [1, 2, 3, 4, 5, 6].map(() => as(fresh)('POST', `${ACCOUNT}/confirm`, { password: 'wrong' }))
  const codes = (await Promise.all(tries)).map((one) => one.headers['x-error-code'])
  expect(codes.filter((code) => code === 'too_many_sign_ins')).toHaveLength(1)
})

test("a project's last owner and the last admin cannot delete their accounts, and a deleted user's name remains on jobs and keys", async () => {
  const { makeUser, as, prisma, user, post, project, signIn } = await open()
  const { userId, email, cookie } = await makeUser({ role: 'owner', isAdmin: true, name: 'Ada' })
  const ask = as(cookie)
  const base = `/dashboard/api/projects/${project.id}`
  const key = (await ask('POST', `${base}/keys`, { name: 'ci', scopes: ['jobs:read', 'jobs:write'] })).json()
  const own = (await ask('POST', `/v2/agent/${project.id}/job`, { prompt: 'by hand' })).json()
  const keyed = (await post({ prompt: 'by machine' }, { key: key.secret })).json()
  await ask('POST', `${base}/invitations`, { role: 'owner' })
  expectError(await ask('DELETE', ACCOUNT, { email: 'another@example.com' }), 400, 'invalid_request')
  expectError(await ask('DELETE', ACCOUNT, { email }), 409, 'last_operator')
  const next = await makeUser({ isAdmin: true })
  const refused = await ask('DELETE', ACCOUNT, { email })
  expectError(refused, 409, 'last_owner')
  expect(refused.json().error).toContain('"test"')
  const { cookie: otherOwner } = await makeUser({ role: 'owner' })
  const elsewhere = await signIn(email)
  const deleted = await ask('DELETE', ACCOUNT, { email: email.toUpperCase() })
  expect([deleted.statusCode, deleted.headers['set-cookie']]).toEqual([
    204,
    expect.stringMatching(/_session=; Max-Age=0/),
  ])
  expect([await user(cookie), await user(elsewhere), await signIn(email)]).toEqual([null, null, ''])
  expect(await prisma.user.findUnique({ where: { id: userId } })).toBeNull()
  expect(await prisma.invitation.count()).toBe(0)

  await revokeProjectKey(
    { audit: COMMAND_LINE, prisma },
    { projectId: project.id, id: key.key.id, user: { userId: 'usr_none', role: 'owner' } },
  )
  const { jobs } = (await as(otherOwner)('GET', `${base}/jobs`)).json()
  expect(jobs.map((job: { id: string; createdBy: unknown }) => [job.id, job.createdBy])).toEqual([
    [keyed.id, { kind: 'key', name: 'ci' }],
    [own.id, { kind: 'user', name: 'Ada' }],
  ])
  expect((await as(otherOwner)('GET', `${base}/jobs/${own.id}`)).json()).toEqual(jobs[1])
  expectError(await as(otherOwner)('GET', `${base}/jobs/none`), 404, 'not_found')
  const foreign = await as(next.cookie)('GET', `/dashboard/api/projects/other/jobs/${own.id}`)
  expectError(foreign, 404, 'not_found')
  const { keys } = (await as(otherOwner)('GET', `${base}/keys`)).json()
  expect(keys.find((one: { id: string }) => one.id === key.key.id).createdBy).toBe('Ada')
})

test('admins can grant and revoke admin access, and concurrent requests cannot remove the last admin', async () => {
  const { makeUser, as, prisma, stale, user, signIn, makeProject } = await open()
  const first = await makeUser({ isAdmin: true, name: 'Ada' })
  const second = await makeUser({ name: 'Bob' })
  const ask = as(first.cookie)
  const invite = () =>
    createInvitation(
      { audit: COMMAND_LINE, prisma, authKey: Buffer.alloc(32, 9) },
      { projectId, role: 'owner', email: null, createdById: second.userId },
    )
  const { id: projectId } = await makeProject()
  await expect(invite()).rejects.toMatchObject({ code: 'not_found' })
  const created = await ask('PATCH', `${USERS}/${second.userId}`, { isAdmin: true })
  expect(created.json()).toMatchObject({ id: second.userId, name: 'Bob', isAdmin: true, you: false, lastSeenAt: null })
  // The change ends existing sessions, so they do not gain admin access.
  expect(await user(second.cookie)).toBeNull()
  const bob = as(await signIn(second.email))
  expect((await bob('GET', USERS)).json().users).toMatchObject([
    { id: first.userId, you: false, signsInWith: ['password'], projects: 0, lastSeenAt: expect.any(String) },
    { id: second.userId, you: true },
  ])
  await invite()
  await stale(second.userId)
  expectError(await bob('PATCH', `${USERS}/${first.userId}`, { isAdmin: false }), 403, 'fresh_sign_in_required')
  expectError(await bob('DELETE', `${USERS}/${first.userId}`, { email: first.email }), 403, 'fresh_sign_in_required')
  expect((await ask('PATCH', `${USERS}/${second.userId}`, { isAdmin: false })).statusCode).toBe(200)
  // An invitation link that the user created as an admin cannot restore access.
  expect(await prisma.invitation.count()).toBe(0)
  expectError(await ask('PATCH', `${USERS}/${first.userId}`, { isAdmin: false }), 409, 'last_operator')
  expectError(await ask('DELETE', `${USERS}/${first.userId}`, { email: first.email }), 409, 'last_operator')
  expectError(await ask('PATCH', `${USERS}/none`, { isAdmin: true }), 404, 'not_found')
  expectError(await ask('DELETE', `${USERS}/${second.userId}`, { email: first.email }), 400, 'invalid_request')
  expect((await ask('DELETE', `${USERS}/${second.userId}`, { email: second.email })).statusCode).toBe(204)

  const others = Array.from({ length: 7 }, (_, i) => `race-${i}`)
  const toRow = (id: string) => ({ id, name: id, email: `${id}@example.com`, isAdmin: true })
  await prisma.user.createMany({ data: others.map(toRow) })
  const all = [first.userId, ...others]
  await Promise.allSettled(
    all.map((userId, i) =>
      i % 2 === 0
        ? setAdmin({ audit: COMMAND_LINE, prisma }, { userId, isAdmin: false, actorId: all[i + 1] ?? null })
        : deleteUser({ audit: COMMAND_LINE, prisma }, { userId, email: `${userId}@example.com`, actorId: null }),
    ),
  )
  // On a busy machine, some calls time out while they wait for the lock.
  expect(await prisma.user.count({ where: { isAdmin: true } })).toBeGreaterThan(0)
})

test('concurrent departures and deletions cannot leave a project without an owner', async () => {
  const { prisma, makeProject } = await open()
  const projects = await Promise.all([makeProject(), makeProject(), makeProject()])
  const owners = Array.from({ length: 8 }, (_, i) => `owner-${i}`)
  await prisma.user.createMany({ data: owners.map((id) => ({ id, name: id, email: `${id}@example.com` })) })
  const role = 'owner' as const
  await prisma.membership.createMany({
    data: owners.flatMap((userId) => projects.map(({ id: projectId }) => ({ userId, projectId, role }))),
  })
  // Half of the owners are deleted, and the others leave every project.
  await Promise.allSettled(
    owners.flatMap((userId, i) =>
      i % 2 === 0
        ? [deleteUser({ audit: COMMAND_LINE, prisma }, { userId, email: `${userId}@example.com`, actorId: null })]
        : projects.map(({ id: projectId }) => removeMember({ audit: COMMAND_LINE, prisma }, { projectId, userId })),
    ),
  )
  const left = await prisma.membership.groupBy({ by: ['projectId'], where: { role } })
  expect(left.map((one) => one.projectId).sort()).toEqual(projects.map(({ id }) => id).sort())

  // Tests the critical order, where one owner is deleted while the other is leaving.
  const { id: projectId } = await makeProject()
  const [leaver, removed] = ['leaver', 'removed']
  await prisma.user.createMany({ data: [leaver, removed].map((id) => ({ id, name: id, email: `${id}@example.com` })) })
  await prisma.membership.createMany({ data: [leaver, removed].map((userId) => ({ userId, projectId, role })) })
  const ended: string[] = []
  const isWaiting = async () => {
    const waiting = await prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    return waiting.length > 0 || ended.length > 0
  }
  const inTurn = async (tx: Db) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`members:${projectId}`}, 0))`
    await tx.membership.deleteMany({ where: { projectId, userId: leaver } })
    const deletion = deleteUser(
      { audit: COMMAND_LINE, prisma },
      { userId: removed, email: `${removed}@example.com`, actorId: null },
    ).then(
      () => ended.push('deleted'),
      (error: { code: string }) => ended.push(error.code),
    )
    await expect.poll(isWaiting).toBe(true)
    return { deletion }
  }
  await (await prisma.$transaction(inTurn, { timeout: 30_000 })).deletion
  expect(ended).toEqual(['last_owner'])
})

test("removing or demoting an owner revokes the owner's invitations and, on request, the owner's keys", async () => {
  const { makeUser, as, prisma, project, post, deps } = await open()
  const base = `/dashboard/api/projects/${project.id}`
  const ask = as((await makeUser({ role: 'owner' })).cookie)
  const leave = async (act: (userId: string) => ReturnType<typeof ask>) => {
    const { userId, cookie } = await makeUser({ role: 'owner' })
    const { url } = (await as(cookie)('POST', `${base}/invitations`, { role: 'owner' })).json()
    const { secret } = (
      await as(cookie)('POST', `${base}/keys`, { name: 'x', scopes: ['jobs:read', 'jobs:write'] })
    ).json()
    expect((await act(userId)).statusCode).toBe(204)
    const back = await as(cookie)('POST', `/dashboard/api/invitations/${url.split('/').at(-1)}/accept`, {})
    expectError(back, 404, 'not_found')
    const late = createInvitation(
      { ...deps, audit: COMMAND_LINE },
      { projectId: project.id, role: 'owner', email: null, createdById: userId },
    )
    await expect(late).rejects.toMatchObject({ code: 'not_found' })
    return (await post({ prompt: 'x' }, { key: secret })).statusCode
  }
  expect(await leave((id) => ask('PATCH', `${base}/members/${id}`, { role: 'member' }))).toBe(201)
  expect(await leave((id) => ask('DELETE', `${base}/members/${id}`))).toBe(201)
  expect(await leave((id) => ask('DELETE', `${base}/members/${id}?revokeKeys=true`))).toBe(401)
  const many = Array.from({ length: 100 }, (_, i) => ({
    id: `inv-${i}`,
    projectId: project.id,
    role: 'viewer' as const,
    tokenHash: new Uint8Array(Buffer.from(`hash-${i}`)),
    expiresAt: new Date(Date.now() + 60_000),
  }))
  await prisma.invitation.createMany({ data: many })
  expectError(await ask('POST', `${base}/invitations`, { role: 'viewer' }), 409, 'invitation_limit')
})
