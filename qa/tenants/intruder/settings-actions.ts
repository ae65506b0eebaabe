import type { Action } from './action.ts'
import { hostileText, hostileValue, toCraftedTokens } from './hostile-texts.ts'
import { ask, create, type Intruder, note, pickOwn, pickSender } from './intruder.ts'

const toDashboard = ({ project }: Intruder) => `/dashboard/api/projects/${project.id}`

/** Hosts that the intruder must not reach: the other tenant's receiver, and private addresses. */
const toForbiddenUrls = ({ stack, acme }: Intruder): readonly string[] => [
  `http://${stack.receivers.acme.host}/deploy`,
  `http://${stack.receivers.acme.host}/hook-${acme.live.id}`,
  `http://${stack.receivers.intruder.host}/elsewhere`,
  `http://${stack.receivers.intruder.host}/hooks/%2e%2e/elsewhere`,
  'http://127.0.0.1/',
  'https://127.0.0.1/',
  'https://localhost/',
  'http://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://10.0.0.1/',
  'https://2130706433/',
  'ftp://example.com/',
  'javascript:alert(1)',
  stack.url,
]

export function pickHookUrl(intruder: Intruder): string {
  const { random, stack } = intruder
  if (random.chance(0.4)) return `http://${stack.receivers.intruder.host}/hooks/${random.int(0, 9)}`
  return random.chance(0.8) ? random.pick(toForbiddenUrls(intruder)) : hostileText(random, 2_000)
}

function buildSettings(intruder: Intruder): object {
  const { random, stack, acme } = intruder
  const text = (max: number) => hostileText(random, max)
  const parts: readonly (() => object)[] = [
    () => ({ name: text(100) }),
    () => ({ repository: stack.host.repositoryUrl(acme.live.repository) }),
    () => ({ repository: 'https://elsewhere.example/a/b' }),
    () => ({ baseBranch: random.pick(['main', 'missing', text(40)]) }),
    () => ({ budgets: { maxTurns: random.pick([1, 3, 1000]), maxSeconds: random.pick([10, null]) } }),
    () => ({ monthlyBudgetUsd: random.pick([0.01, 1e9, null]) }),
    () => ({ deployTarget: { kind: 'hook', url: pickHookUrl(intruder) } }),
    () => ({ deployTarget: { kind: 'workflow', workflow: text(50), ref: 'main' } }),
    () => ({ policy: { instructions: text(8_000) } }),
    () => ({
      policy: {
        forbidden: [random.pick(['{a,{b,{c,{d,{e,f}}}}}', '**/**/**/**/**/*a*a*a*a*a', '[a-', 'x'.repeat(300)])],
      },
    }),
    () => ({ policy: { writable: [random.pick(['**', '*', 'docs/**', '.github/**', '../**'])] } }),
    () => ({ policy: { labels: [text(50)], reviewers: [random.pick(['octocat', text(20)])] } }),
    () => ({
      policy: {
        branchPrefix: random.pick(['corrigenda/', 'x/', text(20)]),
        maxOpenPullRequests: random.pick([1, null]),
      },
    }),
    () => ({
      policy: { titlePattern: random.pick(['{title}', '{title} {job}', text(50)]), dedupe: random.chance(0.5) },
    }),
    () => ({ policy: null, budgets: null, monthlyBudgetUsd: null }),
    () => ({ [text(20)]: hostileValue(random) }),
  ]
  return random.pick(parts)()
}

export const SETTINGS_ACTIONS: readonly Action[] = [
  {
    name: 'store a token with a text of the other tenant',
    weight: 6,
    async run(intruder) {
      const { random, acme, foreign } = intruder
      const tenant = random.pick([acme.live, acme.rest])
      const job = [...tenant.jobs.values()].at(-1)
      const tokens = toCraftedTokens({
        projectId: tenant.id,
        jobId: job?.id ?? foreign.pick('job', random),
        webhookId: foreign.pick('webhook', random),
        repositoryUrl: intruder.stack.host.repositoryUrl(tenant.repository),
        word: job?.word ?? 'quagga-instructions-xx',
      })
      const body = { token: random.pick(tokens) }
      await ask(intruder, { as: 'owner', method: 'PUT', path: `${toDashboard(intruder)}/credential`, body })
      // The token is used and therefore known to a worker.
      const path = `/v2/agent/${intruder.project.id}/job`
      await create(intruder, { as: 'all', method: 'POST', path, body: { prompt: 'Use the token.' } }, 'job')
    },
  },
  {
    name: 'store the own token',
    weight: 5,
    run: (intruder) =>
      ask(intruder, {
        as: 'owner',
        method: 'PUT',
        path: `${toDashboard(intruder)}/credential`,
        body: { token: intruder.project.token },
      }),
  },
  {
    name: 'delete or misuse the credential',
    weight: 1,
    run: (intruder) =>
      ask(intruder, {
        as: pickSender(intruder),
        method: intruder.random.pick(['DELETE', 'PUT']),
        path: `${toDashboard(intruder)}/credential`,
        body: { token: hostileText(intruder.random, 600) },
      }),
  },
  {
    name: 'change settings',
    weight: 8,
    run: (intruder) =>
      ask(intruder, {
        as: intruder.random.pick(['owner', 'owner', 'member', 'viewer', 'all'] as const),
        method: 'PATCH',
        path: `${toDashboard(intruder)}/settings`,
        body: buildSettings(intruder),
      }),
  },
  {
    name: 'test the connection',
    weight: 2,
    run: (intruder) =>
      create(intruder, { as: 'owner', method: 'POST', path: `${toDashboard(intruder)}/repository-tests` }, 'test'),
  },
  {
    name: 'deploy',
    weight: 3,
    async run(intruder) {
      const times = intruder.random.chance(0.2) ? 12 : 1
      const path = `/v1/project/update/${intruder.project.id}`
      const deploy = () =>
        create(
          intruder,
          { as: pickSender(intruder), method: 'POST', path, body: {} },
          'deployment',
          (body) => body.statusId,
        )
      await Promise.all(Array.from({ length: times }, deploy))
    },
  },
  {
    name: 'create, rotate or revoke a key',
    weight: 4,
    async run(intruder) {
      const { random } = intruder
      const as = random.pick(['owner', 'member', 'viewer'] as const)
      const path = `${toDashboard(intruder)}/keys`
      if (random.chance(0.5)) {
        const one = `${path}/${pickOwn(intruder, 'key')}/${random.pick(['rotate', 'revoke'])}`
        return ask(intruder, { as, method: 'POST', path: one, body: { graceSeconds: 0 } })
      }
      const body = { name: hostileText(random, 100), scopes: ['jobs:read'], expiresInDays: 7 }
      const answer = await ask(intruder, { as, method: 'POST', path, body })
      if (answer?.status === 201) note(intruder, 'key', (answer.json as { key: { id: string } }).key.id)
    },
  },
]
