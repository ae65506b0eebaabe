import { runProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { AgentJob } from '@corrigenda/contracts'
import { openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { toTokenContext } from '@corrigenda/core/internal/credentials/git-credential'
import { unsealSecret } from '@corrigenda/core/internal/sealing/seal-secret'
import { scriptPrompt } from '@corrigenda/testkit'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  type Delivered,
  openRollingServices,
  PAGE,
  PROCESSES,
  type Sent,
} from './test-support/open-rolling-services.ts'

const OLD = { CORRIGENDA_SECRET: 'c03f9a1e5b7d2468ace013579bdf8642fedcba9876543210' }
const NEW = { CORRIGENDA_SECRET: '7e1d4b9c2a6f8053e9d7c5b3a1f0e2d4c6b8a09f1e3d5c7b' }
const BOTH = { ...NEW, CORRIGENDA_SECRET_PREVIOUS: OLD.CORRIGENDA_SECRET }
const CLIENTS = 3
const OWNER = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }
const BROWSER = { 'sec-fetch-site': 'same-origin' }
const WAIT = { timeout: 240_000, interval: 100 }

type Services = Awaited<ReturnType<typeof openRollingServices>>

/** Creates the first account, a project with everything that is sealed, and a pending invitation. */
async function setUp(services: Services) {
  const { send, host, receiver, cli, repositoryUrl } = services
  const setup = await send('/dashboard/api/setup', { method: 'POST', body: OWNER, headers: BROWSER })
  expect(setup.status).toBe(201)
  const { cookie } = setup
  const asOwner = async (route: string, sent: Sent = {}) =>
    await send(`/dashboard/api${route}`, { ...sent, headers: { ...BROWSER, cookie } })
  const { id: project } = await cli(OLD, 'project', 'create', '--name', 'Docs', '--repository', repositoryUrl)
  const { key } = await cli(OLD, 'key', 'create', '--project', project, '--name', 'k', ...SCOPES)
  const settings = `/projects/${project}`
  const token = { method: 'PUT', body: { token: host.token } }
  expect((await asOwner(`${settings}/credential`, token)).status).toBe(200)
  const deployTarget = { kind: 'hook', url: `http://${receiver.host}/deploy` }
  expect((await asOwner(`${settings}/settings`, { method: 'PATCH', body: { deployTarget } })).status).toBe(200)
  const invited = await asOwner(`${settings}/invitations`, { method: 'POST', body: { role: 'viewer' } })
  const invitation: string = JSON.parse(invited.text).url.split('/').at(-1)
  return { project, key, asOwner, cookie, invitation: `/dashboard/api/invitations/${invitation}` }
}

const SCOPES = ['--scopes', 'jobs:read,jobs:write,project:deploy,webhooks:write']

test('rotates the secret under load without a failed request or a lost job', async () => {
  const started = Date.now()
  const services = await openRollingServices()
  const { dir, env, host, receiver, send, start, restart, databaseUrl } = services
  expect((await runProcess(dir, ['migrate'], env)).code).toBe(0)
  for (const name of PROCESSES) await start(name, OLD)
  const { project, key, asOwner, cookie, invitation } = await setUp(services)

  let requests = 0
  const failures: string[] = []
  const expectOk = async (route: string, sent: Sent = {}) => {
    const { status, text, cookie: set } = await send(route, sent)
    requests += 1
    if (status >= 300) failures.push(`${sent.method ?? 'GET'} ${route}: ${status} ${text}`)
    return { body: text === '' ? null : JSON.parse(text), cookie: set }
  }
  const ask = async (route: string, sent: Sent = {}) =>
    (await expectOk(route, { ...sent, headers: { authorization: `Bearer ${key}`, ...sent.headers } })).body
  const hooks = `/v1/project/${project}/webhooks`
  const createWebhook = (name: string) =>
    ask(hooks, { method: 'POST', body: { url: `http://${receiver.host}/${name}`, events: ['job.completed'] } })
  const steady = await createWebhook('steady')
  const rotated = await createWebhook('rotated')
  const secrets = { '/steady': [steady.secret], '/rotated': [rotated.secret] }

  let isLoading = true
  const jobs: string[] = []
  const [signIns, deployments]: [number[], string[]] = [[], []]
  const repeat = async (work: (n: number) => Promise<void>, everyMs = 0) => {
    for (let n = 0; isLoading; n += 1) {
      await work(n)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
  const createJobs = (client: number) =>
    repeat(async (n) => {
      const input = { path: PAGE.path, old_str: PAGE.marker, new_str: `Text ${client}-${n}.` }
      const prompt = scriptPrompt(`Edit ${client}-${n}`, [[{ tool: 'edit', input }]])
      const headers = { 'idempotency-key': `${client}-${n}` }
      const { id } = await ask(`/v2/agent/${project}/job`, { method: 'POST', body: { prompt }, headers })
      jobs.push(id)
      const read = async () => (await ask(`/v2/agent/${project}/job/${id}`)).status
      await vi.waitFor(async () => expect(await read()).not.toBe('active'), WAIT)
    })
  const rotateWebhookSecrets = () =>
    repeat(async () => {
      const { secret } = await ask(`${hooks}/${rotated.id}/rotate-secret`, { method: 'POST' })
      secrets['/rotated'].push(secret)
    }, 300)
  const signIn = () =>
    repeat(async () => {
      const { email, password } = OWNER
      const body = { email, password }
      const at = { headers: BROWSER, method: 'POST' }
      const session = await expectOk('/dashboard/api/sign-in', { ...at, body })
      const own = { ...BROWSER, cookie: session.cookie }
      // Each request may reach the other API process.
      for (let n = 0; n < 4; n += 1) await expectOk('/dashboard/api/account', { headers: own })
      await expectOk('/dashboard/api/sign-out', { ...at, headers: own })
      signIns.push(Date.now())
    }, 200)
  const deploy = () =>
    repeat(async () => {
      const { statusId } = await ask(`/v1/project/update/${project}`, { method: 'POST' })
      deployments.push(statusId)
    }, 2_000)
  const clients = Array.from({ length: CLIENTS }, (_, n) => createJobs(n))
  const load = Promise.all([...clients, rotateWebhookSecrets(), signIn(), deploy()])
  // Rejected promises are handled at the end, where the load is awaited.
  load.catch(() => {})

  await restart(PROCESSES, BOTH)
  const during = jobs.length
  expect((await asOwner('/account')).status).toBe(200)
  expect((await send(invitation)).status).toBe(200)
  const result = await services.cli(BOTH, 'secret', 'rotate')
  expect(result).toMatchObject({ unreadable: [] })
  // The rotated secret may be sealed by a process that has noticed the switch already.
  expect(result.resealed).toBeGreaterThanOrEqual(3)
  expect(await services.cli(BOTH, 'secret', 'rotate')).toMatchObject({ resealed: 0, unreadable: [] })
  // Sign-ins are signed with the new secret as soon as a process has noticed the switch.
  const countSwitches = () => services.output().split('database uses the new secret').length - 1
  await expect.poll(countSwitches).toBe(2)
  const afterwards = await send('/dashboard/api/sign-in', {
    method: 'POST',
    headers: BROWSER,
    body: { email: OWNER.email, password: OWNER.password },
  })
  expect((await asOwner('/account')).status).toBe(200)
  await restart([...PROCESSES].reverse(), NEW)
  isLoading = false
  await load

  expect(failures).toEqual([])
  expect(during).toBeGreaterThan(0)
  expect(jobs.length).toBeGreaterThan(during)
  const read = async (id: string) => AgentJob.parse(await ask(`/v2/agent/${project}/job/${id}`))
  const records = await Promise.all(jobs.map(read))
  expect(records.filter(({ outcome }) => outcome !== 'changed')).toEqual([])
  expect(new Set(jobs).size).toBe(jobs.length)
  expect(host.pulls('acme/docs')).toHaveLength(jobs.length)

  const database = openDatabase({ url: databaseUrl, maxConnections: 2, onError: () => {} })
  onTestFinished(() => database.close())
  const undelivered = () =>
    database.pool.query("SELECT status, last_error FROM webhook_deliveries WHERE status <> 'delivered'")
  await expect.poll(async () => (await undelivered()).rows, { timeout: 120_000 }).toEqual([])
  const failedDeployments = async () => {
    const all = await Promise.all(deployments.map((id) => ask(`/v1/project/update-status/${id}`)))
    return all.filter(({ status }) => status !== 'success')
  }
  await expect.poll(failedDeployments, { timeout: 120_000 }).toEqual([])
  const delivered = receiver.delivered.filter(({ path }) => path !== '/deploy')
  const invalid = delivered.filter((one) => !secrets[one.path as '/steady'].some((secret) => isSigned(one, secret)))
  expect(invalid).toEqual([])
  for (const path of ['/steady', '/rotated']) {
    const events = new Set(delivered.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id']))
    expect(events.size).toBe(jobs.length)
  }

  // Sessions and invitations from before the rotation are no longer valid, later sessions are.
  expect((await asOwner('/account')).status).toBe(401)
  expect((await send('/dashboard/api/account', { headers: { ...BROWSER, cookie } })).status).toBe(401)
  expect((await send(invitation)).status).toBe(404)
  const later = { headers: { ...BROWSER, cookie: afterwards.cookie } }
  expect((await send('/dashboard/api/account', later)).status).toBe(200)

  for (const command of ['api', 'worker']) {
    const refused = await runProcess(dir, [command], { ...env, ...OLD, PORT: '0' })
    expect(refused.code).not.toBe(0)
    expect(refused.err + refused.out).toContain('CORRIGENDA_SECRET differs from the secret that this database uses')
  }
  const { sealedToken } = await database.prisma.gitCredential.findUniqueOrThrow({ where: { projectId: project } })
  const unseal = (secret: string) =>
    unsealSecret(deriveSecrets(secret).credentialKey, toTokenContext(project), sealedToken)
  expect(() => unseal(OLD.CORRIGENDA_SECRET)).toThrow('cannot be decrypted')
  expect(unseal(NEW.CORRIGENDA_SECRET)).toBe(host.token)
  for (const secret of [OLD, NEW]) expect(services.output()).not.toContain(secret.CORRIGENDA_SECRET)

  console.log(
    `${requests} requests, of which ${services.countRetries()} connections were refused and retried; ${jobs.length} jobs, ${delivered.length} webhook requests, ${signIns.length} sign-ins, ${deployments.length} deployments in ${Math.round((Date.now() - started) / 1000)} s`,
  )
}, 900_000)

/** Compares the signatures with that of Standard Webhooks, at any time after the delivery. */
function isSigned({ headers, body }: Delivered, secret: string): boolean {
  const time = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), time, body)
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
