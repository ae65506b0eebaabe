import { ACCESS } from '@corrigenda/api/internal/test-support/access-table'
import type { Action } from './action.ts'
import { hostileText, hostileValue } from './hostile-texts.ts'
import type { IdKind } from './id-kind.ts'
import { ask, type Intruder, pickOwn, pickSender } from './intruder.ts'

/** Kind of the id in a path parameter. */
function toKind(path: string, name: string): IdKind | null {
  if (name === 'projectId') return 'project'
  if (name === 'jobId') return 'job'
  if (name === 'userId') return 'user'
  if (name === 'statusId') return 'deployment'
  if (name === 'deliveryId') return 'delivery'
  if (name !== 'id') return null
  if (path.includes('/webhooks/')) return 'webhook'
  if (path.includes('/keys/')) return 'key'
  if (path.includes('/invitations/')) return 'invitation'
  if (path.includes('/repository-tests/')) return 'test'
  return path.includes('/sessions/') ? 'session' : 'job'
}

/** Fills a path's parameters with own, foreign and invented ids. */
function fillPath(intruder: Intruder, path: string, foreignShare: number): { path: string; foreign: boolean } {
  const { random, foreign: ids } = intruder
  let foreign = false
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = toKind(path, name)
    if (kind === null) return encodeURIComponent(hostileText(random, 50).toWellFormed())
    if (random.chance(foreignShare)) {
      foreign = true
      return ids.pick(kind, random)
    }
    return random.chance(0.85) ? pickOwn(intruder, kind) : encodeURIComponent(hostileText(random, 90).toWellFormed())
  })
  return { path: filled, foreign }
}

/**
 * Endpoints that a walk must not use on its own objects, because it would lose its own access, and
 * those that have actions of their own.
 */
const LEFT_OUT = /sign-out|revoke-others|DELETE \/dashboard\/api\/account$|POST \/dashboard\/api\/account\/password/

const ROUTES = Object.entries(ACCESS).filter(([route]) => !LEFT_OUT.test(route))
const FOREIGN_ROUTES = ROUTES.filter(([route]) => /:(?!provider|token)/.test(route))

const call = (intruder: Intruder, routes: typeof ROUTES, foreignShare: number) => {
  const { random } = intruder
  const [route, access] = random.pick(routes)
  const [method = '', template = ''] = route.split(' ')
  const { path, foreign } = fillPath(intruder, template, foreignShare)
  const hasBody = method !== 'GET' && random.chance(0.8)
  const body = 'body' in access && random.chance(0.7) ? access.body : hostileValue(random)
  return ask(intruder, { as: pickSender(intruder), method, path, foreign, ...(hasBody && { body }) })
}

export const FOREIGN_ACTIONS: readonly Action[] = [
  { name: 'call any endpoint', weight: 10, run: (intruder) => call(intruder, ROUTES, 0.1) },
  {
    name: 'call an endpoint with ids of the other tenant',
    weight: 20,
    run: (intruder) => call(intruder, FOREIGN_ROUTES, 0.7),
  },
  {
    name: 'name objects of the other tenant in a body',
    weight: 4,
    async run(intruder) {
      const { random, foreign, project } = intruder
      const id = foreign.pick(random.pick(['job', 'project', 'webhook', 'deployment'] as const), random)
      const fields = { id, jobId: id, projectId: foreign.pick('project', random), retryOf: id, statusId: id }
      const [path, body] = random.pick([
        [`/v2/agent/${project.id}/job`, { prompt: `Read ${id}.`, metadata: { note: id }, ...fields }],
        [`/v1/project/update/${project.id}`, fields],
        [`/v1/project/${project.id}/webhooks`, { url: 'https://example.com/', ...fields }],
        [`/dashboard/api/projects/${project.id}/repository-tests`, fields],
      ] as const)
      return ask(intruder, { as: pickSender(intruder), method: 'POST', path, body })
    },
  },
  {
    name: 'send a malformed request',
    weight: 4,
    run(intruder) {
      const { random, project, acme } = intruder
      const path = `/v2/agent/${random.pick([project.id, acme.live.id])}/job`
      const raw = random.pick([
        '{',
        '[]',
        'null',
        '"x"',
        '{"prompt":',
        '{"__proto__":{"a":1},"prompt":"x"}',
        '{"prompt":"\\ud800"}',
        Buffer.from([0xff, 0xfe, 0x7b]),
        `{"prompt":"${'x'.repeat(1_100_000)}"}`,
        `${'['.repeat(50_000)}`,
      ])
      const headers = random.pick([
        {},
        { 'content-type': 'text/plain' },
        { 'x-request-id': '{"a":1}' },
        { accept: 'text/event-stream' },
        { 'idempotency-key': 'x'.repeat(300) },
        { 'x-filler': 'x'.repeat(30_000) },
        { 'x-forwarded-for': '127.0.0.2' },
      ])
      const foreign = path.includes(acme.live.id)
      return ask(intruder, { as: pickSender(intruder), method: 'POST', path, raw, headers, foreign })
    },
  },
  {
    name: 'send another method',
    weight: 2,
    run(intruder) {
      const { random, acme } = intruder
      const path = `/v2/agent/${acme.live.id}/job/${intruder.foreign.pick('job', random)}`
      const method = random.pick(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])
      return ask(intruder, { as: pickSender(intruder), method, path, foreign: true })
    },
  },
  {
    name: 'forge an event of the Git host',
    weight: 1,
    run(intruder) {
      const { stack, acme } = intruder
      const body = {
        action: 'closed',
        repository: { html_url: stack.host.repositoryUrl(acme.live.repository) },
        pull_request: { number: 1 },
      }
      const headers = {
        'x-github-event': 'pull_request',
        'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
        'x-github-delivery': 'x',
      }
      return ask(intruder, {
        as: 'anonymous',
        method: 'POST',
        path: '/v1/github/webhook',
        body,
        headers,
        foreign: true,
      })
    },
  },
]
