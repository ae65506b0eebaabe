import { joinProject } from '../stack/open-account.ts'
import { OPERATOR_ADDRESS } from '../stack/open-stack.ts'
import type { Action } from './action.ts'
import { INVITED } from './find-leaks.ts'
import { hostileText } from './hostile-texts.ts'
import { ask, create, INTRUDER_ADDRESSES, type Intruder, note, pickOwn, signIn } from './intruder.ts'
import { pickHookUrl } from './settings-actions.ts'

const toDashboard = ({ project }: Intruder) => `/dashboard/api/projects/${project.id}`
const toHooks = ({ project }: Intruder) => `/v1/project/${project.id}/webhooks`

export const MEMBER_ACTIONS: readonly Action[] = [
  {
    name: 'invite a member',
    weight: 3,
    run: (intruder) =>
      create(
        intruder,
        {
          as: intruder.random.pick(['owner', 'member'] as const),
          method: 'POST',
          path: `${toDashboard(intruder)}/invitations`,
          body: {
            role: intruder.random.pick(['owner', 'member', 'viewer']),
            email: intruder.random.pick([null, INVITED, hostileText(intruder.random, 60)]),
          },
        },
        'invitation',
      ),
  },
  {
    name: 'withdraw an invitation',
    weight: 1,
    run: (intruder) =>
      ask(intruder, {
        as: 'owner',
        method: 'DELETE',
        path: `${toDashboard(intruder)}/invitations/${pickOwn(intruder, 'invitation')}`,
      }),
  },
  {
    name: 'add, change and remove a member',
    weight: 1,
    async run(intruder) {
      const { stack, operator, project, random } = intruder
      const name = `guest-${random.int(0, 1e9)}`
      const who = { name, email: `${name}@beta.example`, password: 'beta-guest-password' }
      const { userId } = await joinProject(stack, {
        operator,
        projectId: project.id,
        role: 'member',
        who,
        from: random.pick(INTRUDER_ADDRESSES),
      })
      note(intruder, 'user', userId)
      const path = `${toDashboard(intruder)}/members/${userId}`
      await ask(intruder, { as: 'owner', method: 'PATCH', path, body: { role: 'viewer' } })
      await ask(intruder, { as: 'owner', method: 'DELETE', path: `${path}?revokeKeys=true` })
    },
  },
  {
    name: "guess passwords of the other tenant's accounts",
    weight: 3,
    async run(intruder) {
      const { random, acme } = intruder
      const guess = () =>
        ask(intruder, {
          as: 'anonymous',
          method: 'POST',
          path: '/dashboard/api/sign-in',
          headers: { 'sec-fetch-site': 'same-origin' },
          body: {
            email: random.pick([acme.live.owner.email, acme.live.member.email]),
            password: hostileText(random, 100) || 'x',
          },
          foreign: true,
        })
      await Promise.all(Array.from({ length: random.int(1, 12) }, guess))
    },
  },
  {
    name: 'sign out, or end other sessions',
    weight: 1,
    async run(intruder) {
      const path = intruder.random.pick(['/dashboard/api/sign-out', '/dashboard/api/account/sessions/revoke-others'])
      const as = intruder.random.pick(['owner', 'member', 'viewer'] as const)
      await ask(intruder, { as, method: 'POST', path })
      await signIn(intruder, as)
    },
  },
  {
    name: 'create a project and delete it',
    weight: 1,
    async run(intruder) {
      const { stack, operator, random, accounts } = intruder
      const [from = ''] = INTRUDER_ADDRESSES
      const name = `Beta spare ${random.int(0, 1e9)}`
      const body = { name, repository: stack.host.repositoryUrl('beta/docs') }
      // The operator creates projects on request. Others must not.
      await ask(intruder, { as: 'owner', method: 'POST', path: '/dashboard/api/projects', body, foreign: true })
      const { cookie } = operator
      const made = await stack.send({
        method: 'POST',
        path: '/dashboard/api/projects',
        cookie,
        from: OPERATOR_ADDRESS,
        body,
      })
      const { id } = made.json as { id: string }
      await joinProject(stack, { operator, projectId: id, role: 'owner', who: accounts.owner, from })
      note(intruder, 'project', id)
      await create(
        intruder,
        {
          as: 'owner',
          method: 'POST',
          path: `/v2/agent/${id}/job`,
          body: { prompt: 'Work on a project that is deleted.' },
        },
        'job',
      )
      const path = `/dashboard/api/projects/${id}`
      await ask(intruder, { as: 'owner', method: 'DELETE', path, body: { name: intruder.acme.live.name } })
      await ask(intruder, { as: 'owner', method: 'DELETE', path, body: { name } })
    },
  },
  {
    name: 'create a webhook',
    weight: 4,
    run: (intruder) =>
      create(
        intruder,
        {
          as: intruder.random.pick(['owner', 'all', 'hooks', 'read'] as const),
          method: 'POST',
          path: toHooks(intruder),
          body: { url: pickHookUrl(intruder), description: hostileText(intruder.random, 200), events: [] },
        },
        'webhook',
      ),
  },
  {
    name: 'use a webhook',
    weight: 6,
    async run(intruder) {
      const { random } = intruder
      const path = `${toHooks(intruder)}/${pickOwn(intruder, 'webhook')}`
      const as = random.pick(['owner', 'all', 'hooks'] as const)
      const list = async () => {
        const answer = await ask(intruder, { as: 'owner', path: `${path}/deliveries` })
        const { deliveries = [] } = (answer?.json ?? {}) as { deliveries?: { id: string }[] }
        for (const { id } of deliveries) note(intruder, 'delivery', id)
      }
      await random.pick([
        () =>
          ask(intruder, {
            as,
            method: 'PATCH',
            path,
            body: { url: pickHookUrl(intruder), disabled: random.chance(0.2) },
          }),
        () => ask(intruder, { as, method: 'POST', path: `${path}/rotate-secret` }),
        () => ask(intruder, { as, method: 'POST', path: `${path}/test` }),
        () =>
          ask(intruder, { as, method: 'POST', path: `${path}/deliveries/${pickOwn(intruder, 'delivery')}/redeliver` }),
        () => ask(intruder, { as, method: 'DELETE', path }),
        list,
      ])()
    },
  },
]
