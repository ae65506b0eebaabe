import { toCookie } from '../stack/open-account.ts'
import type { Answer } from '../stack/send.ts'
import { ACME_ADDRESS, askAsOwner, askUntil, askWithKey, toDashboardPath, toHooksPath } from './acme.ts'
import type { Round } from './round.ts'
import { toId } from './work-job.ts'

const settings: Round = {
  name: 'settings',
  async run(project, word) {
    const path = `${toDashboardPath(project)}/settings`
    const body = {
      budgets: { maxTurns: 30 },
      policy: { instructions: `Always follow the quagga-instructions of ${word}.`, labels: ['quagga-label', word] },
      monthlyBudgetUsd: 5_000,
    }
    const before = (await askAsOwner(project, { path })).json as { policy: object; budgets: object }
    const changed = await askAsOwner(project, { method: 'PATCH', path, body })
    const read = await askAsOwner(project, { path })
    const { policy, budgets } = before
    const restored = { policy, budgets, monthlyBudgetUsd: null }
    return { changed, read, restored: await askAsOwner(project, { method: 'PATCH', path, body: restored }) }
  },
}

const webhooks: Round = {
  name: 'webhooks',
  async run(project, word) {
    const all = toHooksPath(project)
    const url = `http://${project.stack.receivers.acme.host}/${word}`
    // Only the test event, because other jobs of the project end meanwhile.
    const body = { url, description: word, events: ['webhook.disabled'] }
    const created = await askWithKey(project, { method: 'POST', path: all, body })
    const { id, secret } = created.json as { id: string; secret: string }
    const secrets = [secret]
    project.webhooks.push({ id, path: `/${word}`, secrets })
    const one = `${all}/${id}`
    const rotated = await askWithKey(project, { method: 'POST', path: `${one}/rotate-secret` })
    secrets.push((rotated.json as { secret: string }).secret)
    const tested = await askWithKey(project, { method: 'POST', path: `${one}/test` })
    const delivered = await askUntil(
      () => askWithKey(project, { path: `${one}/deliveries` }),
      ({ json }) =>
        (json as { deliveries: { status: string }[] }).deliveries.every(({ status }) => status !== 'pending'),
    )
    const updated = await askWithKey(project, { method: 'PATCH', path: one, body: { disabled: true } })
    const read = await askWithKey(project, { path: one })
    const deleted = await askWithKey(project, { method: 'DELETE', path: one })
    return {
      created,
      rotated,
      tested,
      delivered,
      updated,
      read,
      deleted,
      gone: await askWithKey(project, { path: one }),
    }
  },
}

const keys: Round = {
  name: 'keys',
  // Ten keys can be created per hour, and each run creates two.
  limit: 4,
  async run(project, word) {
    const all = `${toDashboardPath(project)}/keys`
    const body = { name: word, scopes: ['jobs:read'], expiresInDays: 7, allowedCidrs: [ACME_ADDRESS] }
    const created = await askAsOwner(project, { method: 'POST', path: all, body })
    const old = created.json as { key: { id: string }; secret: string }
    const rotated = await askAsOwner(project, {
      method: 'POST',
      path: `${all}/${old.key.id}/rotate`,
      body: { graceSeconds: 0 },
    })
    const next = rotated.json as { key: { id: string }; secret: string }
    const me = async (key: string) => toWithoutLimits(await askWithKey(project, { key, path: '/v1/me' }))
    const [withOld, withNext] = [await me(old.secret), await me(next.secret)]
    const revoked = await askAsOwner(project, { method: 'POST', path: `${all}/${next.key.id}/revoke` })
    const hidden = [old.key.id, next.key.id]
    return { created, rotated, withOld, withNext, revoked, afterwards: await me(next.secret), hidden }
  },
}

const members: Round = {
  name: 'members',
  async run(project, word) {
    const all = toDashboardPath(project)
    const email = `${word}@acme.example`
    const list = () => askAsOwner(project, { path: `${all}/members` })
    const path = `${all}/invitations`
    const invited = await askAsOwner(project, { method: 'POST', path, body: { role: 'viewer', email } })
    const { id, url } = invited.json as { id: string; url: string }
    const [, token = ''] = /\/invitations\/(.+)$/.exec(url) ?? []
    const facts = await askAsOwner(project, { path: `/dashboard/api/invitations/${token}` })
    const during = await list()
    const withdrawn = await askAsOwner(project, { method: 'DELETE', path: `${path}/${id}` })
    const user = `${all}/members/${project.member.userId}`
    const demoted = await askAsOwner(project, { method: 'PATCH', path: user, body: { role: 'viewer' } })
    const refused = await project.stack.send({
      path: `${all}/settings`,
      cookie: project.member.cookie,
      from: ACME_ADDRESS,
    })
    const promoted = await askAsOwner(project, { method: 'PATCH', path: user, body: { role: 'member' } })
    const after = await list()
    return { facts, during, withdrawn, demoted, refused, promoted, after, hidden: [token] }
  },
}

const deployment: Round = {
  name: 'deployment',
  async run(project) {
    const started = await askWithKey(project, { method: 'POST', path: `/v1/project/update/${project.id}`, body: {} })
    const { statusId } = started.json as { statusId: string }
    const ended = await askUntil(
      () => askWithKey(project, { path: `/v1/project/update-status/${statusId}` }),
      ({ status, json }) => status !== 200 || (json as { endedAt: string | null }).endedAt !== null,
    )
    const list = await askWithKey(project, { path: `/v1/project/${project.id}/updates?limit=1` })
    const { updates } = list.json as { updates: unknown[] }
    return { started, ended, updates, hidden: [statusId] }
  },
}

const connection: Round = {
  name: 'connection',
  async run(project) {
    const path = `${toDashboardPath(project)}/repository-tests`
    const requested = await askAsOwner(project, { method: 'POST', path })
    const tested = await askUntil(
      () => askAsOwner(project, { path: `${path}/${toId(requested)}` }),
      ({ json }) => (json as { status: string }).status === 'done',
    )
    const progress = await askAsOwner(project, { path: `${toDashboardPath(project)}/welcome` })
    return { requested, tested, progress }
  },
}

const credential: Round = {
  name: 'credential',
  async run(project) {
    const path = `${toDashboardPath(project)}/credential`
    const saved = await askAsOwner(project, { method: 'PUT', path, body: { token: project.token } })
    return { status: saved.status, credential: (saved.json as { credential: object }).credential }
  },
}

const session: Round = {
  name: 'session',
  async run(project) {
    const { email, password, cookie } = project.owner
    const ask = (path: string, cookies: string, body?: object) =>
      project.stack.send({
        method: body ? 'POST' : 'GET',
        path,
        cookie: cookies,
        from: ACME_ADDRESS,
        ...(body && { body }),
      })
    // The browser has signed in before, so password guesses of others do not lock it out.
    const device = cookie
      .split('; ')
      .filter((one) => one.includes('_device='))
      .join('; ')
    const signedIn = await ask('/dashboard/api/sign-in', device, { email, password })
    const fresh = toCookie(signedIn)
    const projects = await ask('/dashboard/api/projects', fresh)
    const account = await ask('/dashboard/api/account', fresh)
    const signedOut = await ask('/dashboard/api/sign-out', fresh, {})
    const afterwards = await ask('/dashboard/api/projects', fresh)
    return { signedIn, projects: toNames(projects), account, signedOut: signedOut.status, afterwards }
  },
}

/** Their numbers of active jobs vary. */
const toNames = ({ json }: Answer) => {
  const names = (json as { projects: { name: string }[] }).projects.map(({ name }) => name)
  return names.sort().join() === 'Acme live,Acme rest'
}

/** Other rounds and the second tenant's limits do not affect these facts. */
function toWithoutLimits({ status, json }: Answer): object {
  const { limits: _, ...facts } = (json ?? {}) as { limits?: object }
  return { status, facts }
}

export const PROJECT_ROUNDS: readonly Round[] = [
  settings,
  webhooks,
  keys,
  members,
  deployment,
  connection,
  credential,
  session,
]
