import type { ApiFixtures } from './make-fixtures.ts'

/**
 * The minimum access that an endpoint requires. `everyone`: no sign-in required. `user`: any
 * signed-in user. `viewer`, `member`, `owner`: at least this role in the project. `key`: an API
 * key; sessions are rejected.
 */
export type Needed = 'everyone' | 'user' | 'viewer' | 'member' | 'owner' | 'admin' | 'key'

export interface Access {
  readonly needed: Needed
  /** Status for callers with access. */
  readonly ok: number
  readonly body?: unknown
  /** Creates new objects on each call and returns the path parameters that refer to them. */
  readonly make?: (fixtures: ApiFixtures) => Promise<Readonly<Record<string, string>>>
}

const job = async (f: ApiFixtures) => ({ id: await f.makeJob() })
const endedJob = async (f: ApiFixtures) => ({ id: await f.makeEndedJob() })
const key = async (f: ApiFixtures) => ({ id: await f.makeKeyId() })
const webhook = async (f: ApiFixtures) => ({ id: await f.makeWebhook() })
const delivery = async (f: ApiFixtures) => f.makeDelivery()
const member = async (f: ApiFixtures) => ({ userId: await f.makeMember() })
const savedPrompt = async (f: ApiFixtures) => ({ id: await f.makeSavedPrompt() })
const invitation = async (f: ApiFixtures) => ({ id: (await f.makeInvitation()).id })

const jobs = (prefix: string): Record<string, Access> => ({
  [`POST ${prefix}/:projectId/job`]: { needed: 'member', ok: 201, body: { prompt: 'x' } },
  [`GET ${prefix}/:projectId/jobs`]: { needed: 'viewer', ok: 200 },
  [`GET ${prefix}/:projectId/job/:id`]: { needed: 'viewer', ok: 200, make: job },
  [`DELETE ${prefix}/:projectId/job/:id`]: { needed: 'owner', ok: 204, make: endedJob },
  [`GET ${prefix}/:projectId/job/:id/events`]: { needed: 'viewer', ok: 200, make: job },
  [`GET ${prefix}/:projectId/job/:id/changes`]: { needed: 'viewer', ok: 200, make: job },
  [`POST ${prefix}/:projectId/job/:id/token`]: { needed: 'key', ok: 201, make: job },
  [`POST ${prefix}/:projectId/job/:id/message`]: { needed: 'member', ok: 200, make: job, body: { prompt: 'x' } },
  [`POST ${prefix}/:projectId/job/:id/cancel`]: { needed: 'member', ok: 200, make: job },
  [`POST ${prefix}/:projectId/job/:id/archive`]: { needed: 'member', ok: 200, make: endedJob },
  [`POST ${prefix}/:projectId/job/:id/unarchive`]: { needed: 'member', ok: 200, make: endedJob },
  [`POST ${prefix}/:projectId/job/:id/retry`]: { needed: 'member', ok: 201, make: endedJob },
})

const HOOKS = '/v1/project/:projectId/webhooks'
const PROJECT = '/dashboard/api/projects/:projectId'

/** Every endpoint that may accept a session, with its required access. */
export const ACCESS: Readonly<Record<string, Access>> = {
  ...jobs('/v2/agent'),
  ...jobs('/api/agent/v2'),
  // A job of version 1 is a stream that ends with the job, so it has separate tests.
  'POST /v1/agent/:projectId/job': { needed: 'member', ok: 400, body: { messages: [] } },
  'GET /v1/agent/:projectId/job/:id': { needed: 'viewer', ok: 200, make: job },
  'GET /v1/agent/:projectId/jobs': { needed: 'viewer', ok: 200 },
  'GET /v1/me': { needed: 'key', ok: 200 },
  'POST /mcp': { needed: 'key', ok: 200, body: {} },
  'POST /v1/project/update/:projectId': { needed: 'member', ok: 409 },
  'POST /v1/project/preview/:projectId': { needed: 'member', ok: 409, body: { branch: 'docs/x' } },
  'GET /v1/project/update-status/:statusId': {
    needed: 'viewer',
    ok: 200,
    make: async (f) => ({ statusId: await f.makeDeployment() }),
  },
  'GET /v1/project/:projectId/updates': { needed: 'viewer', ok: 200 },
  [`GET ${HOOKS}`]: { needed: 'owner', ok: 200 },
  [`POST ${HOOKS}`]: { needed: 'owner', ok: 400, body: {} },
  [`GET ${HOOKS}/:id`]: { needed: 'owner', ok: 200, make: webhook },
  [`PATCH ${HOOKS}/:id`]: { needed: 'owner', ok: 200, make: webhook, body: { description: 'x' } },
  [`DELETE ${HOOKS}/:id`]: { needed: 'owner', ok: 204, make: webhook },
  [`POST ${HOOKS}/:id/rotate-secret`]: { needed: 'owner', ok: 200, make: webhook },
  [`POST ${HOOKS}/:id/test`]: { needed: 'owner', ok: 202, make: webhook },
  [`GET ${HOOKS}/:id/deliveries`]: { needed: 'owner', ok: 200, make: webhook },
  [`POST ${HOOKS}/:id/deliveries/:deliveryId/redeliver`]: { needed: 'owner', ok: 202, make: delivery },

  'GET /dashboard/api/session': { needed: 'everyone', ok: 200 },
  'POST /dashboard/api/setup': { needed: 'everyone', ok: 400, body: {} },
  'POST /dashboard/api/setup/:provider': { needed: 'everyone', ok: 400 },
  'POST /dashboard/api/sign-in': { needed: 'everyone', ok: 400, body: {} },
  'POST /dashboard/api/sign-in/link': { needed: 'everyone', ok: 400, body: {} },
  'POST /dashboard/api/sign-out': { needed: 'everyone', ok: 204 },
  'GET /dashboard/api/sign-in/github': { needed: 'everyone', ok: 404 },
  'GET /dashboard/api/sign-in/oidc': { needed: 'everyone', ok: 404 },
  'GET /dashboard/api/auth/callback/:provider': { needed: 'everyone', ok: 404 },
  'GET /dashboard/api/invitations/:token': {
    needed: 'everyone',
    ok: 200,
    make: async (f) => ({ token: (await f.makeInvitation()).token }),
  },
  'POST /dashboard/api/invitations/:token/accept': {
    needed: 'everyone',
    ok: 404,
    body: {},
    make: async () => ({ token: 'unknown' }),
  },
  'GET /dashboard/api/account': { needed: 'user', ok: 200 },
  'PATCH /dashboard/api/account': { needed: 'user', ok: 400, body: {} },
  'DELETE /dashboard/api/account': { needed: 'user', ok: 400, body: { email: 'another@example.com' } },
  'POST /dashboard/api/account/confirm': { needed: 'user', ok: 400, body: {} },
  'POST /dashboard/api/account/providers/:provider': { needed: 'user', ok: 400 },
  'DELETE /dashboard/api/account/providers/:provider': { needed: 'user', ok: 400 },
  'POST /dashboard/api/account/password': { needed: 'user', ok: 400, body: {} },
  'GET /dashboard/api/account/sessions': { needed: 'user', ok: 200 },
  'POST /dashboard/api/account/sessions/revoke-others': { needed: 'user', ok: 204 },
  'DELETE /dashboard/api/account/sessions/:id': { needed: 'user', ok: 404 },
  'GET /dashboard/api/projects': { needed: 'user', ok: 200 },
  'POST /dashboard/api/projects': { needed: 'admin', ok: 400, body: {} },
  [`DELETE ${PROJECT}`]: { needed: 'owner', ok: 400, body: { name: 'another' } },
  [`GET ${PROJECT}/keys`]: { needed: 'member', ok: 200 },
  [`POST ${PROJECT}/keys`]: { needed: 'member', ok: 400, body: {} },
  [`POST ${PROJECT}/keys/:id/rotate`]: { needed: 'member', ok: 400, body: {}, make: key },
  // The member created this key.
  [`POST ${PROJECT}/keys/:id/revoke`]: { needed: 'member', ok: 200, make: key },
  [`GET ${PROJECT}/members`]: { needed: 'viewer', ok: 200 },
  [`PATCH ${PROJECT}/members/:userId`]: { needed: 'owner', ok: 204, body: { role: 'viewer' }, make: member },
  [`DELETE ${PROJECT}/members/:userId`]: { needed: 'owner', ok: 204, make: member },
  [`POST ${PROJECT}/invitations`]: { needed: 'owner', ok: 201, body: { role: 'viewer' } },
  [`DELETE ${PROJECT}/invitations/:id`]: { needed: 'owner', ok: 204, make: invitation },
  [`GET ${PROJECT}/jobs`]: { needed: 'viewer', ok: 200 },
  [`GET ${PROJECT}/job-filter-options`]: { needed: 'viewer', ok: 200 },
  [`GET ${PROJECT}/jobs-needing-attention`]: { needed: 'viewer', ok: 200 },
  [`GET ${PROJECT}/jobs/:jobId`]: { needed: 'viewer', ok: 200, make: async (f) => ({ jobId: await f.makeJob() }) },
  [`GET ${PROJECT}/jobs/:jobId/texts`]: {
    needed: 'viewer',
    ok: 200,
    make: async (f) => ({ jobId: await f.makeJob() }),
  },
  [`GET ${PROJECT}/jobs/:jobId/transcript`]: {
    needed: 'viewer',
    ok: 200,
    make: async (f) => ({ jobId: await f.makeJob() }),
  },
  [`GET ${PROJECT}/jobs/:jobId/request`]: {
    needed: 'member',
    ok: 200,
    make: async (f) => ({ jobId: await f.makeJob() }),
  },
  [`GET ${PROJECT}/models`]: { needed: 'member', ok: 200 },
  [`GET ${PROJECT}/prompts`]: { needed: 'member', ok: 200 },
  [`POST ${PROJECT}/prompts`]: { needed: 'member', ok: 400, body: {} },
  [`PATCH ${PROJECT}/prompts/:id`]: { needed: 'member', ok: 200, body: { prompt: 'y' }, make: savedPrompt },
  [`DELETE ${PROJECT}/prompts/:id`]: { needed: 'member', ok: 204, make: savedPrompt },
  [`GET ${PROJECT}/usage`]: { needed: 'owner', ok: 200 },
  [`GET ${PROJECT}/welcome`]: { needed: 'viewer', ok: 200 },
  [`GET ${PROJECT}/settings`]: { needed: 'member', ok: 200 },
  [`PATCH ${PROJECT}/settings`]: { needed: 'owner', ok: 400, body: { unknown: 1 } },
  [`PUT ${PROJECT}/credential`]: { needed: 'owner', ok: 400, body: {} },
  [`DELETE ${PROJECT}/credential`]: { needed: 'owner', ok: 200 },
  [`PUT ${PROJECT}/sources/:source/credential`]: { needed: 'owner', ok: 400, body: {} },
  [`DELETE ${PROJECT}/sources/:source/credential`]: { needed: 'owner', ok: 200 },
  [`POST ${PROJECT}/repository-tests`]: { needed: 'owner', ok: 202 },
  [`GET ${PROJECT}/repository-tests/:id`]: {
    needed: 'member',
    ok: 200,
    make: async (f) => ({ id: await f.makeRepositoryTest() }),
  },
  [`GET ${PROJECT}/audit-events`]: { needed: 'owner', ok: 200 },
  [`GET ${PROJECT}/audit-events.jsonl`]: { needed: 'owner', ok: 200 },
  'GET /dashboard/api/ops/audit-events': { needed: 'admin', ok: 200 },
  'GET /dashboard/api/ops/audit-events.jsonl': { needed: 'admin', ok: 200 },
  'GET /dashboard/api/github-app': { needed: 'user', ok: 200 },
  'POST /dashboard/api/github-app/manifest': { needed: 'admin', ok: 400, body: { organization: '-' } },
  'GET /dashboard/api/github-app/start': { needed: 'admin', ok: 400 },
  'GET /dashboard/api/github-app/created': { needed: 'admin', ok: 400 },
  'DELETE /dashboard/api/github-app': { needed: 'admin', ok: 204 },
  'GET /dashboard/api/ops': { needed: 'admin', ok: 200 },
  'GET /dashboard/api/ops/people': { needed: 'admin', ok: 200 },
  'PATCH /dashboard/api/ops/people/:userId': { needed: 'admin', ok: 200, body: { isAdmin: true }, make: member },
  'DELETE /dashboard/api/ops/people/:userId': {
    needed: 'admin',
    ok: 400,
    body: { email: 'another@example.com' },
    make: member,
  },
}

/**
 * Routes that the table omits: pages, files and health checks, which are the same for all callers;
 * the Git host's webhooks, which are authenticated by signature; and event streams, which do not
 * end and have a separate test.
 */
export const LEFT_OUT =
  /^(POST \/v1\/(github|git)\/webhook|GET (\/healthz|\/readyz|\/openapi\.json|\/reference(\/.*)?|\/assets\/.*|\/dashboard\/api\/projects\/:projectId\/events))$/
