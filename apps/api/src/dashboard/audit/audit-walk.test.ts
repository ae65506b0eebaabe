import type { AuditAction } from '@corrigenda/contracts'
import { createSignInLink } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { expect, test } from 'vitest'
import { LEFT_OUT } from '../../test-support/access-table.ts'
import { listRoutes } from '../../test-support/list-routes.ts'
import { makeFixtures } from '../../test-support/make-fixtures.ts'
import { openUsersApi, PASSWORD } from '../../test-support/open-users-api.ts'

type Api = Awaited<ReturnType<typeof openUsersApi>>

interface Step {
  readonly body?: unknown
  readonly ok: number
  readonly action: AuditAction
  /** Returns path parameters, and a cookie if the request is not sent by the admin. */
  readonly make?: (api: Api) => Promise<Readonly<Record<string, string>>>
}

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const HOOK = 'https://hooks.example.com/secret-path-7f'

const job = async (api: Api) => ({ id: await makeFixtures(api).makeJob() })
const endedJob = async (api: Api) => ({ id: await makeFixtures(api).makeEndedJob() })
const archivedJob = async (api: Api) => {
  const ended = await endedJob(api)
  await api.deps.prisma.job.update({ where: ended, data: { status: 'archived', archivedAt: new Date() } })
  return ended
}
const key = async (api: Api) => ({ id: await makeFixtures(api).makeKeyId() })
const webhook = async (api: Api) => ({ id: await makeFixtures(api).makeWebhook() })
const member = async (api: Api) => ({ userId: await makeFixtures(api).makeMember() })
const savedPrompt = async (api: Api) => ({ id: await makeFixtures(api).makeSavedPrompt() })
const source = async (api: Api) => {
  const { cookie } = await api.makeUser({ role: 'owner' })
  const body = { sources: [{ name: 'code', repository: 'https://github.com/acme/code' }] }
  await api.ask('PATCH', `/dashboard/api/projects/${api.project.id}/settings`, { cookie, body })
  return { source: 'code' }
}
/** Another signed-in user, so that the admin's session stays valid. */
const other = async (api: Api) => ({ cookie: (await api.makeUser()).cookie })

const deployTarget = async (api: Api) => {
  const { cookie } = await api.makeUser({ role: 'owner' })
  const previewUrlTemplate = 'https://{branchSlug}.example.com'
  const body = { deployTarget: { kind: 'hook', url: HOOK }, previewUrlTemplate }
  await api.ask('PATCH', `/dashboard/api/projects/${api.project.id}/settings`, { cookie, body })
  return {}
}

const jobs = (prefix: string): Record<string, Step> => ({
  [`POST ${prefix}/:projectId/job`]: { ok: 201, body: { prompt: 'x' }, action: 'job.created' },
  [`DELETE ${prefix}/:projectId/job/:id`]: { ok: 204, make: endedJob, action: 'job.deleted' },
  [`POST ${prefix}/:projectId/job/:id/message`]: {
    ok: 200,
    make: job,
    body: { prompt: 'x' },
    action: 'job.message_sent',
  },
  [`POST ${prefix}/:projectId/job/:id/cancel`]: { ok: 200, make: job, action: 'job.cancelled' },
  [`POST ${prefix}/:projectId/job/:id/archive`]: { ok: 200, make: endedJob, action: 'job.archived' },
  [`POST ${prefix}/:projectId/job/:id/unarchive`]: { ok: 200, make: archivedJob, action: 'job.unarchived' },
  [`POST ${prefix}/:projectId/job/:id/retry`]: { ok: 201, make: endedJob, action: 'job.retried' },
})

const HOOKS = '/v1/project/:projectId/webhooks'
const PROJECT = '/dashboard/api/projects/:projectId'

/** A request to each route that changes something, and the act that it must record. */
const STEPS: Readonly<Record<string, Step>> = {
  ...jobs('/v2/agent'),
  ...jobs('/api/agent/v2'),
  'POST /v1/project/update/:projectId': { ok: 202, make: deployTarget, action: 'deployment.started' },
  'POST /v1/project/preview/:projectId': {
    ok: 202,
    make: deployTarget,
    body: { branch: 'docs/x' },
    action: 'deployment.started',
  },
  [`POST ${HOOKS}`]: { ok: 201, body: { url: HOOK }, action: 'webhook.created' },
  [`PATCH ${HOOKS}/:id`]: { ok: 200, make: webhook, body: { description: 'New' }, action: 'webhook.updated' },
  [`DELETE ${HOOKS}/:id`]: { ok: 204, make: webhook, action: 'webhook.deleted' },
  [`POST ${HOOKS}/:id/rotate-secret`]: { ok: 200, make: webhook, action: 'webhook.secret_rotated' },
  [`POST ${HOOKS}/:id/test`]: { ok: 202, make: webhook, action: 'webhook.tested' },
  [`POST ${HOOKS}/:id/deliveries/:deliveryId/redeliver`]: {
    ok: 202,
    make: (api) => makeFixtures(api).makeDelivery(),
    action: 'webhook.redelivered',
  },
  'POST /dashboard/api/sign-in': {
    ok: 200,
    action: 'session.signed_in',
    make: async (api) => ({ email: (await api.makeUser()).email }),
  },
  'POST /dashboard/api/sign-in/link': {
    ok: 200,
    action: 'session.signed_in',
    make: async (api) => {
      const { email } = await api.makeUser()
      return { token: (await createSignInLink({ ...api.deps, audit: COMMAND_LINE }, { email })).token }
    },
  },
  'POST /dashboard/api/sign-out': { ok: 204, make: other, action: 'session.ended' },
  'POST /dashboard/api/invitations/:token/accept': {
    ok: 200,
    body: {},
    action: 'member.joined',
    make: async (api) => ({ ...(await other(api)), token: (await makeFixtures(api).makeInvitation()).token }),
  },
  'PATCH /dashboard/api/account': { ok: 200, make: other, body: { name: 'Grace' }, action: 'account.renamed' },
  'DELETE /dashboard/api/account': {
    ok: 204,
    action: 'account.deleted',
    make: async (api) => {
      const { email, cookie } = await api.makeUser()
      return { email, cookie }
    },
  },
  'POST /dashboard/api/account/confirm': {
    ok: 204,
    make: other,
    body: { password: PASSWORD },
    action: 'session.signed_in',
  },
  'POST /dashboard/api/account/password': {
    ok: 204,
    make: other,
    body: { currentPassword: PASSWORD, newPassword: 'another good password' },
    action: 'account.password_set',
  },
  'DELETE /dashboard/api/account/providers/:provider': {
    ok: 204,
    action: 'account.provider_unlinked',
    make: async (api) => {
      const { userId, cookie } = await api.makeUser()
      await api.database.prisma.account.create({
        data: { id: `acc_${userId}`, userId, accountId: userId, providerId: 'github' },
      })
      return { cookie, provider: 'github' }
    },
  },
  'POST /dashboard/api/account/sessions/revoke-others': {
    ok: 204,
    action: 'session.ended',
    make: async (api) => {
      const { email, cookie } = await api.makeUser()
      await api.signIn(email)
      return { cookie }
    },
  },
  'DELETE /dashboard/api/account/sessions/:id': {
    ok: 204,
    action: 'session.ended',
    make: async (api) => {
      const { userId, cookie } = await api.makeUser()
      const { id } = await api.database.prisma.session.findFirstOrThrow({ where: { userId } })
      return { id, cookie }
    },
  },
  'POST /dashboard/api/projects': {
    ok: 201,
    body: { name: 'New', repository: 'https://github.com/acme/new' },
    action: 'project.created',
  },
  [`POST ${PROJECT}/keys`]: {
    ok: 201,
    body: { name: 'ci', scopes: ['jobs:read'], expiresInDays: 30 },
    action: 'key.created',
  },
  [`POST ${PROJECT}/keys/:id/rotate`]: { ok: 201, make: key, body: { graceSeconds: 0 }, action: 'key.rotated' },
  [`POST ${PROJECT}/keys/:id/revoke`]: { ok: 200, make: key, action: 'key.revoked' },
  [`PATCH ${PROJECT}/members/:userId`]: {
    ok: 204,
    make: member,
    body: { role: 'viewer' },
    action: 'member.role_changed',
  },
  [`DELETE ${PROJECT}/members/:userId`]: { ok: 204, make: member, action: 'member.removed' },
  [`POST ${PROJECT}/invitations`]: { ok: 201, body: { role: 'viewer' }, action: 'invitation.created' },
  [`DELETE ${PROJECT}/invitations/:id`]: {
    ok: 204,
    make: async (api) => ({ id: (await makeFixtures(api).makeInvitation()).id }),
    action: 'invitation.revoked',
  },
  [`PATCH ${PROJECT}/settings`]: { ok: 200, body: { budgets: { maxTurns: 5 } }, action: 'project.settings_changed' },
  [`PUT ${PROJECT}/credential`]: { ok: 200, body: { token: TOKEN }, action: 'credential.saved' },
  [`DELETE ${PROJECT}/credential`]: { ok: 200, action: 'credential.deleted' },
  [`PUT ${PROJECT}/sources/:source/credential`]: {
    ok: 200,
    make: source,
    body: { token: TOKEN },
    action: 'credential.saved',
  },
  [`DELETE ${PROJECT}/sources/:source/credential`]: {
    ok: 200,
    make: async () => ({ source: 'code' }),
    action: 'credential.deleted',
  },
  [`POST ${PROJECT}/prompts`]: { ok: 201, body: { name: 'Links', prompt: 'x' }, action: 'saved_prompt.created' },
  [`PATCH ${PROJECT}/prompts/:id`]: {
    ok: 200,
    make: savedPrompt,
    body: { name: 'Broken links' },
    action: 'saved_prompt.updated',
  },
  [`DELETE ${PROJECT}/prompts/:id`]: { ok: 204, make: savedPrompt, action: 'saved_prompt.deleted' },
  [`POST ${PROJECT}/repository-tests`]: { ok: 202, action: 'connection_check.started' },
  'POST /dashboard/api/github-app/manifest': { ok: 200, body: {}, action: 'github_app.registration_started' },
  'DELETE /dashboard/api/github-app': {
    ok: 204,
    action: 'github_app.deleted',
    make: async (api) => {
      const sealedPrivateKey = new Uint8Array(1)
      const app = { appId: 1, slug: 'corrigenda', name: 'Corrigenda', htmlUrl: 'https://github.com/apps/corrigenda' }
      await api.database.prisma.githubApp.create({ data: { id: 1, ...app, sealedPrivateKey, createdBy: 'Ada' } })
      return {}
    },
  },
  'PATCH /dashboard/api/ops/people/:userId': {
    ok: 200,
    make: member,
    body: { isAdmin: true },
    action: 'account.admin_granted',
  },
  'DELETE /dashboard/api/ops/people/:userId': {
    ok: 204,
    action: 'account.deleted',
    make: async (api) => {
      const { userId, email } = await api.makeUser()
      return { userId, email }
    },
  },
  // Last, because the project is gone afterwards.
  [`DELETE ${PROJECT}`]: { ok: 204, body: { name: 'test' }, action: 'project.deleted' },
}

/** Routes with other methods than GET that are not in the table, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'POST /v1/agent/:projectId/job': 'responds with a stream until the job ends; see agent-sessions.test.ts',
  'POST /v2/agent/:projectId/job/:id/token': 'for API keys only; see job-tokens.test.ts',
  'POST /api/agent/v2/:projectId/job/:id/token': 'the same route',
  'POST /mcp': 'calls the operations of the job routes; see mcp.test.ts',
  'POST /dashboard/api/setup': 'possible only without accounts; tested below',
  'POST /dashboard/api/setup/:provider': 'redirects to the provider; the callback records the account',
  'POST /dashboard/api/account/providers/:provider': 'redirects to the provider; the callback records the link',
}

/** Acts that a step records besides its own: the changes that its fixtures and its session need. */
const newEvents = (api: Api, known: ReadonlySet<string>) =>
  api.database.prisma.auditEvent
    .findMany({ orderBy: { id: 'asc' } })
    .then((events) => events.filter(({ id }) => !known.has(id)))

test('every route that changes something records exactly one act of the caller, without secrets', async () => {
  const quota = { limit: 1000, windowSeconds: 3600 }
  const allowedHookHosts = ['hooks.example.com']
  const signIn = { password: true, github: { clientId: 'c', clientSecret: 's' }, oidc: null, allowedEmails: [] }
  const api = await openUsersApi({ quota, messageQuota: quota, allowedHookHosts, signIn })
  const routes = (await listRoutes(api.app)).filter((route) => !LEFT_OUT.test(route) && !route.startsWith('GET '))
  const missing = routes.filter((route) => !(route in STEPS) && !(route in ELSEWHERE))
  expect(missing, 'add these routes to STEPS or ELSEWHERE').toEqual([])
  const admin = await api.makeUser({ isAdmin: true, name: 'Ada' })
  const problems: string[] = []
  const secrets = [PASSWORD, 'another good password', TOKEN, 'secret-path-7f', api.key]
  for (const [route, step] of Object.entries(STEPS)) {
    const [method = '', path = ''] = route.split(' ')
    const { cookie = admin.cookie, email, ...values } = (await step.make?.(api)) ?? {}
    const known = new Set((await newEvents(api, new Set())).map(({ id }) => id))
    const url = path.replace(/:(\w+)/g, (_, name: string) => ({ projectId: api.project.id, ...values })[name] ?? 'none')
    const isSignIn = path.includes('/sign-in')
    const signIn = email === undefined ? { token: values.token } : { email, password: PASSWORD }
    const body = isSignIn ? signIn : email === undefined ? step.body : { email }
    const response = await api.ask(method, url, {
      ...(isSignIn ? {} : { cookie }),
      ...(body !== undefined && { body }),
    })
    if (response.statusCode !== step.ok) problems.push(`${route}: ${response.statusCode} ${response.body}`)
    for (const [, secret = ''] of response.body.matchAll(/"(?:secret|key|url)":"([^"]{30,})"/g)) secrets.push(secret)
    const events = await newEvents(api, known)
    const own = events.filter(({ action }) => action === step.action)
    if (own.length !== 1)
      problems.push(`${route}: recorded ${events.map(({ action }) => action).join(', ') || 'nothing'}`)
    const [event] = own
    // The sign-in library changes passwords without the address. The new session's event has it.
    const address = step.action === 'account.password_set' ? null : '127.0.0.1'
    if (event && (event.actorType !== 'user' || event.ipAddress !== address)) {
      problems.push(`${route}: recorded as ${event.actorType} from ${event.ipAddress}`)
    }
    if (event && cookie === admin.cookie && !isSignIn && event.actorId !== admin.userId)
      problems.push(`${route}: wrong actor`)
  }
  expect(problems).toEqual([])
  const log = JSON.stringify(await newEvents(api, new Set()))
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})

test('rejected requests and repeated requests without an effect record nothing', async () => {
  const api = await openUsersApi()
  const viewer = await api.makeUser({ role: 'viewer' })
  const owner = await api.makeUser({ role: 'owner' })
  const { id } = await api.makeKey(api.project.id)
  const project = `/dashboard/api/projects/${api.project.id}`
  await api.ask('POST', `${project}/keys/${id}/revoke`, { cookie: owner.cookie })
  await api.ask('PATCH', `${project}/settings`, { cookie: owner.cookie, body: { budgets: { maxTurns: 5 } } })
  const headers = { 'idempotency-key': 'once' }
  await api.post({ prompt: 'x' }, { headers })
  const count = await api.database.prisma.auditEvent.count()
  await api.ask('POST', `${project}/keys/${id}/revoke`, { cookie: owner.cookie })
  await api.ask('PATCH', `${project}/settings`, { cookie: owner.cookie, body: { budgets: { maxTurns: 5 } } })
  await api.ask('PATCH', `${project}/settings`, { cookie: viewer.cookie, body: { budgets: { maxTurns: 6 } } })
  await api.ask('DELETE', project, { cookie: owner.cookie, body: { name: 'another' } })
  await api.ask('DELETE', `${project}/credential`, { cookie: owner.cookie })
  expect((await api.post({ prompt: 'x' }, { headers })).statusCode).toBe(201)
  expect(await api.database.prisma.auditEvent.count()).toBe(count)
})

test('records the first account, failed sign-ins and acts of API keys', async () => {
  const api = await openUsersApi()
  const body = { name: 'Ada', email: 'ada@example.com', password: PASSWORD }
  expect((await api.ask('POST', '/dashboard/api/setup', { body })).statusCode).toBe(201)
  const wrong = { email: 'ada@example.com', password: 'wrong password' }
  expect((await api.ask('POST', '/dashboard/api/sign-in', { body: wrong })).statusCode).toBe(401)
  await api.post({ prompt: 'x' })
  const { events } = (
    await api.ask('GET', '/dashboard/api/ops/audit-events', { cookie: await api.signIn('ada@example.com') })
  ).json()
  const rows = events.map((event: { action: string; actor: { type: string }; target: { id: string } | null }) => [
    event.action,
    event.actor.type,
  ])
  expect(rows).toContainEqual(['account.created', 'anonymous'])
  expect(rows).toContainEqual(['account.password_set', 'anonymous'])
  expect(rows).toContainEqual(['session.signed_in', 'user'])
  expect(rows).toContainEqual(['session.sign_in_failed', 'anonymous'])
  const created = events.find((event: { action: string }) => event.action === 'job.created')
  expect(created).toMatchObject({
    actor: { type: 'key', id: api.keyId, name: 'test' },
    projectId: api.project.id,
    target: { type: 'job' },
    requestId: expect.any(String),
  })
})
