import { type Account, expectStatus, joinProject } from '../stack/open-account.ts'
import type { Stack, StackProject } from '../stack/open-stack.ts'
import { ACME_ADDRESS, type AcmeProject, askAsOwner, askWithKey, toDashboardPath, toHooksPath } from './acme.ts'

/** Words that only this tenant's data contains, besides those of its rounds. */
export const ACME_WORDS = [
  'quagga-instructions',
  'quagga-label',
  'quagga-backend',
  'Quagga Owner',
  'quagga-hook',
] as const

/** Sets up both projects of the tenant through the API, with everything that a project can have. */
export async function openAcme(stack: Stack, operator: Account): Promise<{ live: AcmeProject; rest: AcmeProject }> {
  const { live, rest } = stack.projects
  const join = (projectId: string, role: string, who: Parameters<typeof joinProject>[1]['who']) =>
    joinProject(stack, { operator, projectId, role, who, from: ACME_ADDRESS })
  const owner = await join(live.id, 'owner', {
    name: 'Quagga Owner',
    email: 'owner@acme.example',
    password: 'quagga-owner-password',
  })
  const member = await join(live.id, 'member', {
    name: 'Quagga Member',
    email: 'member@acme.example',
    password: 'quagga-member-password',
  })
  await join(rest.id, 'owner', owner)
  await join(rest.id, 'member', member)
  const open = async (project: StackProject): Promise<AcmeProject> => {
    const acme: AcmeProject = {
      ...project,
      stack,
      owner,
      member,
      key: '',
      webhooks: [],
      jobs: new Map(),
    }
    const created = await askAsOwner(acme, {
      method: 'POST',
      path: `${toDashboardPath(acme)}/keys`,
      body: {
        name: 'quagga-backend',
        scopes: ['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'],
        expiresInDays: null,
      },
    })
    return setUp({ ...acme, key: expectStatus(created, 201).secret })
  }
  return { live: await open(live), rest: await open(rest) }
}

async function setUp(acme: AcmeProject): Promise<AcmeProject> {
  const { stack, token } = acme
  const { host } = stack.receivers.acme
  const settings = `${toDashboardPath(acme)}/settings`
  const policy = { instructions: 'Always follow the quagga-instructions.', labels: ['quagga-label'] }
  const deployTarget = { kind: 'hook', url: `http://${host}/deploy` }
  expectStatus(await askAsOwner(acme, { method: 'PATCH', path: settings, body: { policy, deployTarget } }), 200)
  const credential = `${toDashboardPath(acme)}/credential`
  expectStatus(await askAsOwner(acme, { method: 'PUT', path: credential, body: { token } }), 200)
  const body = { url: `http://${host}/hook-${acme.id}`, description: 'quagga-hook' }
  const webhook = expectStatus(await askWithKey(acme, { method: 'POST', path: toHooksPath(acme), body }), 201)
  acme.webhooks.push({ id: webhook.id, path: `/hook-${acme.id}`, secrets: [webhook.secret] })
  return acme
}
