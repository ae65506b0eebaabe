import type { Random } from '../../chaos/plan/random.ts'
import type { AcmeProject } from '../acme/acme.ts'
import { type Account, expectStatus, joinProject } from '../stack/open-account.ts'
import type { Stack } from '../stack/open-stack.ts'
import { openLeaks } from './find-leaks.ts'
import { readForeignIds } from './foreign-ids.ts'
import { ID_KINDS, type IdKind } from './id-kind.ts'
import { ask, INTRUDER_ADDRESSES, type Intruder, type KeyName } from './intruder.ts'

const SCOPES: Readonly<Record<KeyName, readonly string[]>> = {
  all: ['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'],
  read: ['jobs:read'],
  write: ['jobs:write'],
  deploy: ['project:deploy'],
  hooks: ['webhooks:write'],
  revoked: ['jobs:read', 'jobs:write'],
}

/** Sets up the second tenant: three accounts, keys of all scopes, and a token for its repository. */
export async function openIntruder(input: {
  stack: Stack
  operator: Account
  random: Random
  acme: { live: AcmeProject; rest: AcmeProject }
}): Promise<Intruder> {
  const { stack, operator, random, acme } = input
  const project = stack.projects.intruder
  const [from = ''] = INTRUDER_ADDRESSES
  const join = (role: string) =>
    joinProject(stack, {
      operator,
      projectId: project.id,
      role,
      from,
      who: { name: `Beta ${role}`, email: `${role}@beta.example`, password: `beta-password-${role}` },
    })
  const accounts = { owner: await join('owner'), member: await join('member'), viewer: await join('viewer') }
  const foreign = await readForeignIds(acme)
  const own = Object.fromEntries(ID_KINDS.map((kind) => [kind, [] as string[]])) as Record<IdKind, string[]>
  own.project.push(project.id)
  const intruder: Intruder = {
    stack,
    random,
    operator,
    project,
    accounts,
    own,
    acme,
    foreign,
    keys: { all: '', read: '', write: '', deploy: '', hooks: '', revoked: '' },
    spare: [],
    leaks: openLeaks([acme.live, acme.rest], foreign),
    open: new Set(),
    statuses: new Map(),
    found: [],
    action: 'setup',
  }
  for (const [name, scopes] of Object.entries(SCOPES) as [KeyName, string[]][]) {
    const path = `/dashboard/api/projects/${project.id}/keys`
    const body = { name, scopes, expiresInDays: null }
    const created = await ask(intruder, { as: 'owner', method: 'POST', path, body })
    if (created === null) throw new Error('The connection broke during the setup.')
    const { key, secret } = expectStatus(created, 201)
    intruder.keys[name] = secret
    if (name !== 'revoked') continue
    await ask(intruder, { as: 'owner', method: 'POST', path: `${path}/${key.id}/revoke` })
  }
  const path = `/dashboard/api/projects/${project.id}/credential`
  await ask(intruder, { as: 'owner', method: 'PUT', path, body: { token: project.token } })
  return intruder
}
