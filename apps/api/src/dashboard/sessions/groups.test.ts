import { applyGroupRules, setAdmin } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { expect, test } from 'vitest'
import type { SignInConfig } from '../../http/config.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { ADA, openProviderApi } from '../../test-support/open-provider-api.ts'

type Groups = NonNullable<NonNullable<SignInConfig['oidc']>['groups']>
type Roles = Groups['rules']['roles']

/** Opens the application with rules for its project, which exists only afterwards. */
async function open(options: { claim?: string; scopes?: string[]; password?: boolean } = {}) {
  const { claim = 'groups', ...rest } = options
  const rules = { admins: ['ops', 'root'], roles: [] as Roles[number][] }
  const api = await openProviderApi({ ...rest, groups: { claim, rules } })
  const { prisma } = api.database
  const { id: projectId } = api.project
  const other = await api.makeProject()
  rules.roles.push(
    { group: 'docs', projectId, role: 'member' },
    { group: 'readers', projectId, role: 'viewer' },
    { group: 'readers', projectId: other.id, role: 'viewer' },
    { group: 'leads', projectId, role: 'owner' },
    { group: 'docs', projectId: 'prj_missing', role: 'owner' },
  )
  /** Signs Ada in as a member of these groups. */
  const enter = (...groups: string[]) => {
    api.provider.profile = { ...ADA, groups }
    return api.visit()
  }
  const ada = () =>
    prisma.user.findFirstOrThrow({
      where: { email: 'ada@example.com' },
      select: { id: true, isAdmin: true, memberships: { select: { role: true, groupName: true, directRole: true } } },
    })
  const list = async (cookie: string) =>
    (await api.ask('GET', `/dashboard/api/projects/${projectId}/members`, { cookie })).json().members
  return { ...api, prisma, projectId, other, rules, enter, ada, list }
}

test('groups give roles at sign-in, and a role goes with its group', async () => {
  const { enter, ada, prisma, other, projectId, user, ask } = await open()
  const first = await enter('docs', 'unknown')
  expect(first.to).toBe('/')
  expect(await ada()).toMatchObject({ isAdmin: false, memberships: [{ role: 'member', groupName: 'docs' }] })
  const { cookie } = await enter('readers', 'leads')
  expect(await user(first.cookie)).not.toBeNull()
  expect((await ada()).memberships).toEqual(
    expect.arrayContaining([
      { role: 'owner', groupName: 'leads', directRole: null },
      { role: 'viewer', groupName: 'readers', directRole: null },
    ]),
  )
  // A former owner's invitations are taken back.
  const invitations = `/dashboard/api/projects/${projectId}/invitations`
  expect((await ask('POST', invitations, { cookie, body: { role: 'viewer' } })).statusCode).toBe(201)
  await enter('readers')
  expect(await prisma.invitation.count()).toBe(0)
  expect(await prisma.membership.count({ where: { role: 'viewer' } })).toBe(2)
  const again = await enter('leads')
  await ask('POST', invitations, { cookie: again.cookie, body: { role: 'viewer' } })
  expect(await prisma.invitation.count()).toBe(1)
  await enter()
  expect([(await ada()).memberships, await prisma.invitation.count()]).toEqual([[], 0])
  expect((await ask('GET', `/dashboard/api/projects/${other.id}/jobs`, { cookie })).statusCode).toBe(404)
  // A deleted project is ignored.
  await prisma.project.update({ where: { id: other.id }, data: { deletedAt: new Date() } })
  expect((await enter('readers')).to).toBe('/')
  expect((await ada()).memberships).toHaveLength(1)
  // The account stays, and names are compared exactly.
  await enter('Docs', 'doc', 'docs ', '/docs', 'docs/sub')
  expect((await ada()).memberships).toEqual([])
})

test('a new user needs a group with rights or another permission to join, and a verified email address', async () => {
  const { enter, provider, visit, prisma } = await open()
  expect((await enter('unknown')).to).toMatch(/error=not_invited/)
  provider.profile = { ...ADA, email_verified: false, groups: ['docs'] }
  expect((await visit()).to).toMatch(/error=not_invited/)
  expect(await prisma.user.count()).toBe(0)
})

test('rights that were given in the dashboard stay when a group gives or removes the same right', async () => {
  const { enter, ada, prisma, projectId, ask, makeUser } = await open()
  const owner = await makeUser({ role: 'owner' })
  await enter('docs')
  const { id: userId } = await ada()
  await prisma.membership.delete({ where: { projectId_userId: { projectId, userId } } })
  await prisma.membership.create({ data: { projectId, userId, role: 'viewer' } })
  await enter('docs')
  expect((await ada()).memberships).toEqual([{ role: 'member', groupName: 'docs', directRole: 'viewer' }])

  const path = `/dashboard/api/projects/${projectId}/members/${userId}`
  const patch = (role: string) => ask('PATCH', path, { cookie: owner.cookie, body: { role } })
  expectError(await patch('viewer'), 409, 'managed_by_group')
  expectError(await ask('DELETE', path, { cookie: owner.cookie }), 409, 'managed_by_group')
  expect((await patch('owner')).statusCode).toBe(204)
  expect((await ada()).memberships).toEqual([{ role: 'owner', groupName: 'docs', directRole: 'owner' }])
  expect((await patch('member')).statusCode).toBe(204)
  expect((await ada()).memberships).toEqual([{ role: 'member', groupName: 'docs', directRole: null }])
  expect((await patch('owner')).statusCode).toBe(204)
  await enter('readers')
  expect((await ada()).memberships).toContainEqual({ role: 'owner', groupName: 'readers', directRole: 'owner' })
  await enter()
  expect((await ada()).memberships).toEqual([{ role: 'owner', groupName: null, directRole: null }])

  // An invitation gives a role without a group.
  await prisma.membership.deleteMany({ where: { userId } })
  const { cookie } = await enter('readers')
  const body = { role: 'member' }
  const invited = await ask('POST', `/dashboard/api/projects/${projectId}/invitations`, { cookie: owner.cookie, body })
  const token = invited.json().url.split('/').at(-1)
  await ask('POST', `/dashboard/api/invitations/${token}/accept`, { cookie, body: {} })
  expect((await ada()).memberships).toContainEqual({ role: 'member', groupName: 'readers', directRole: 'member' })
  await enter()
  expect((await ada()).memberships).toEqual([{ role: 'member', groupName: null, directRole: null }])
})

test('an admin group makes its members admins, ends their sessions, and cannot remove the last admin', async () => {
  const { enter, ada, user, prisma, ask, makeUser, lines } = await open()
  const before = await enter('docs')
  const { cookie } = await enter('ops')
  expect(await user(before.cookie)).toBeNull()
  expect(await user(cookie)).toMatchObject({ isAdmin: true })
  // No setup is needed.
  expect((await ask('GET', '/dashboard/api/session')).json().setup).toBe('done')

  const kept = await enter('docs')
  expect(await user(kept.cookie)).toMatchObject({ isAdmin: true })
  expect(lines.join('')).toContain('keeps admin access')
  const other = await makeUser({ isAdmin: true })
  const { id } = await ada()
  const path = `/dashboard/api/ops/people/${id}`
  const revoke = () => ask('PATCH', path, { cookie: other.cookie, body: { isAdmin: false } })
  const refused = await revoke()
  expectError(refused, 409, 'managed_by_group')
  expect(refused.json().error).toContain('"ops"')
  const { users } = (await ask('GET', '/dashboard/api/ops/people', { cookie: other.cookie })).json()
  expect(users).toMatchObject([{ id, adminGroup: 'ops' }, { adminGroup: null }])

  const left = await enter('docs')
  expect(await user(kept.cookie)).toBeNull()
  expect(await user(left.cookie)).toMatchObject({ isAdmin: false })

  // Admin access that was granted without a group stays.
  await enter('root')
  await setAdmin({ audit: COMMAND_LINE, prisma }, { userId: id, isAdmin: true, actorId: null })
  expect(await user((await enter()).cookie)).toMatchObject({ isAdmin: true })
  expect((await revoke()).statusCode).toBe(200)
  await enter('ops')
  await enter()
  expect(await ada()).toMatchObject({ isAdmin: false })
})

test('a former admin loses the invitations to projects of others', async () => {
  const { enter, ask, prisma, projectId, makeUser } = await open()
  await makeUser({ isAdmin: true })
  const { cookie } = await enter('ops')
  await ask('POST', `/dashboard/api/projects/${projectId}/invitations`, { cookie, body: { role: 'viewer' } })
  expect(await prisma.invitation.count()).toBe(1)
  await enter('docs')
  expect(await prisma.invitation.count()).toBe(0)
})

test('a claim that does not list the groups rejects the sign-in and changes nothing', async () => {
  const { enter, provider, visit, ada, lines, user } = await open()
  const { cookie } = await enter('docs')
  const many = Array.from({ length: 5001 }, (_, n) => `group-${n}`)
  for (const groups of [7, { docs: true }, ['docs', 1], many]) {
    provider.profile = { ...ADA, groups }
    expect(await visit()).toMatchObject({ to: '/sign-in?error=groups_claim_invalid', cookie: '' })
  }
  provider.profile = { ...ADA, _claim_names: { groups: 'src1' } }
  expect(await visit()).toMatchObject({ to: '/sign-in?error=groups_claim_invalid', cookie: '' })
  expect(lines.join('')).toMatch(/is not a string or an array[\s\S]*5001 groups[\s\S]*too many groups/)
  expect(lines.join('')).not.toContain('group-77')
  expect((await ada()).memberships).toHaveLength(1)
  expect(await user(cookie)).not.toBeNull()
  // An absent claim means no groups.
  provider.profile = ADA
  expect((await visit()).to).toBe('/')
  expect((await ada()).memberships).toEqual([])
})

test('groups and the email address are read from the UserInfo endpoint if the ID token lacks them', async () => {
  const { enter, provider, visit, ada } = await open({ scopes: ['openid', 'email', 'groups'] })
  provider.scopes = ['openid', 'email', 'groups']
  await enter('docs')
  expect(provider.userInfoRequests).toBe(0)
  for (const claims of [['groups'], ['email', 'email_verified', 'name', 'groups'], ['email', 'email_verified']]) {
    provider.userInfoClaims = claims
    await enter('readers')
    expect((await ada()).memberships).toHaveLength(2)
    await enter('docs')
    expect((await ada()).memberships).toHaveLength(1)
  }
  provider.userInfoClaims = ['groups']
  for (const fault of ['userinfo-status', 'userinfo-subject', 'no-id-token'] as const) {
    provider.fault = fault
    expect(await visit()).toMatchObject({ to: expect.stringMatching(/^\/sign-in\?error=/), cookie: '' })
  }
  expect((await ada()).memberships).toHaveLength(1)
  expect(provider.refusals).toEqual([])
})

test('an email address from the ID token is verified only by the ID token', async () => {
  const { enter, provider, prisma } = await open()
  provider.userInfoClaims = ['email_verified', 'groups']
  expect((await enter('docs')).to).toMatch(/error=not_invited/)
  expect(await prisma.user.count()).toBe(0)
})

test('an email address from the UserInfo endpoint is verified only by that endpoint', async () => {
  const { enter, provider, prisma } = await open()
  provider.userInfoClaims = ['email']
  provider.tokenClaims = ['email_verified']
  expect((await enter('docs')).to).toMatch(/error=not_invited/)
  expect(await prisma.user.count()).toBe(0)
})

test('a single group can be a string', async () => {
  const { provider, visit, ada } = await open()
  provider.profile = { ...ADA, groups: 'docs' }
  await visit()
  expect((await ada()).memberships).toMatchObject([{ groupName: 'docs' }])
})

test('groups can be in a nested claim', async () => {
  const { provider, visit, ada } = await open({ claim: 'realm_access.roles' })
  provider.profile = { ...ADA, realm_access: { roles: ['docs'] } }
  await visit()
  expect((await ada()).memberships).toMatchObject([{ groupName: 'docs' }])
})

test('unlinking the provider removes the rights of its groups', async () => {
  const { enter, ada, ask, makeUser } = await open()
  await makeUser({ isAdmin: true })
  const { cookie } = await enter('readers')
  const password = { newPassword: 'a much longer password' }
  expect((await ask('POST', '/dashboard/api/account/password', { cookie, body: password })).statusCode).toBe(204)
  expect((await ask('DELETE', '/dashboard/api/account/providers/oidc', { cookie })).statusCode).toBe(204)
  expect((await ada()).memberships).toEqual([])
})

test('at start, rights without a rule are removed, and changed roles are replaced', async () => {
  const { enter, ada, database, prisma, projectId, other, rules, user } = await open()
  const { cookie } = await enter('ops', 'docs', 'readers')
  const { id: userId } = await ada()
  expect(await applyGroupRules(database, rules)).toEqual({ missingProjects: ['prj_missing'] })
  expect(await user(cookie)).toMatchObject({ isAdmin: true })
  expect((await ada()).memberships).toHaveLength(2)

  await applyGroupRules(database, { admins: ['ops'], roles: [{ group: 'docs', projectId, role: 'viewer' }] })
  expect((await ada()).memberships).toEqual([{ role: 'viewer', groupName: 'docs', directRole: null }])
  // A rule for a group that the user is not known to be in adds nothing.
  await applyGroupRules(database, { admins: [], roles: [{ group: 'readers', projectId: other.id, role: 'owner' }] })
  expect((await ada()).memberships).toEqual([])
  // The only admin stays one, and can be removed in the dashboard once there is another one.
  expect(await prisma.user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({
    isAdmin: true,
    adminGroup: null,
    isDirectAdmin: false,
  })
})

test('the database rejects a role that differs from the roles it comes from', async () => {
  const { enter, ada, prisma, projectId } = await open()
  await enter('docs')
  const { id: userId } = await ada()
  const change = (sql: string) => prisma.$executeRawUnsafe(sql)
  for (const set of [
    "role = 'owner'",
    'group_name = NULL',
    'group_role = NULL, group_name = NULL, direct_role = role',
  ]) {
    await expect(change(`UPDATE memberships SET ${set} WHERE project_id = '${projectId}'`)).rejects.toThrow(
      /constraint/,
    )
  }
  for (const set of ["admin_group = 'ops'", 'is_direct_admin = true']) {
    await expect(change(`UPDATE users SET ${set} WHERE id = '${userId}'`)).rejects.toThrow(/constraint/)
  }
})

test('a member of an admin group can also set the service up', async () => {
  const { ask, goTo, finish, provider, user } = await open({ password: false })
  provider.profile = { ...ADA, groups: ['ops'] }
  const started = await ask('POST', '/dashboard/api/setup/oidc', { body: {} })
  const { to, cookie } = await finish(await goTo(started.json().url, started.headers['set-cookie']))
  expect([to, (await user(cookie)).isAdmin]).toEqual(['/', true])
})
