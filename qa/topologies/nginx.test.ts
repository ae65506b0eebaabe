import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openRollingServices, type Reply, type Sent } from '../e2e/test-support/open-rolling-services.ts'
import { makeCertificates } from './test-support/make-certificates.ts'
import { openAcceptance, toEnv } from './test-support/open-acceptance.ts'
import { openStream } from './test-support/open-stream.ts'
import { startNginx } from './test-support/start-nginx.ts'

const OWNER = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }
const BROWSER = { 'sec-fetch-site': 'same-origin' }
const FORGED = '203.0.113.7'

test('two API processes behind nginx share sessions and jobs, stream events at once and get the address of the client', async () => {
  const services = await openRollingServices()
  const { dir, start, stop, cli, urls, outputOf } = services
  const certificates = await makeCertificates(dir, 'nginx')
  const apis = [urls['api-1'], urls['api-2']].map((url) => new URL(url).host) as [string, string]
  const nginx = await startNginx({ dir, apis, certificates })
  const ca = await readFile(certificates.ca, 'utf8')
  /** Sends a request through nginx. */
  const send = async (route: string, { method, headers, body }: Sent = {}, localAddress?: string): Promise<Reply> => {
    const { response, text, ended } = await openStream(`${nginx.url}${route}`, {
      method: method ?? 'GET',
      ca,
      body: body && JSON.stringify(body),
      ...(localAddress && { localAddress }),
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    })
    await ended
    const cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    return { status: response.statusCode ?? 0, text: text(), cookie }
  }
  const env = toEnv(services, { TRUST_PROXY: '1', PUBLIC_URL: nginx.url })
  await cli(env, 'migrate')
  await start('api-1', env)
  await start('api-2', env)
  const through = { ...services, send }
  const { load, accept, check, wait, watch, project } = await openAcceptance(through, env, nginx.url, { ca })

  // No worker runs, so the job stays queued: its first event arrives while nothing else happens.
  const queued = await load.create('queued')
  const stream = await watch(queued)
  await wait(async () => stream.text()).toMatch(/^event: job\./m)
  expect((await load.read(queued)).status).toBe('active')
  await start('worker-1', env)
  await load.ended(queued)
  await stream.ended
  expect(stream.text()).toMatch(/^event: job\.completed$/m)
  await accept(['one', 'two'])

  // A session that started at one process is valid at the other, and through nginx.
  const token = /use this token: (\w+)/.exec(outputOf('api-1'))?.[1]
  const setup = await send('/dashboard/api/setup', { method: 'POST', body: { ...OWNER, token }, headers: BROWSER })
  expect(setup.status, setup.text).toBe(201)
  expect(setup.cookie).toMatch(/^__Host-/)
  for (const url of [nginx.url, ...Object.values(urls)]) {
    const at = { ca, headers: { ...BROWSER, cookie: setup.cookie } }
    const { response } = await openStream(`${url}/dashboard/api/account`, at)
    expect(response.statusCode, url).toBe(200)
  }

  // The address is that of the client of nginx, also if the client sends the header itself.
  const made = await cli(env, 'key', 'create', '--project', project, '--name', 'office', '--allow', '127.0.0.2/32')
  const ask = async (localAddress: string, headers = {}) => {
    const authorized = { authorization: `Bearer ${made.key}`, ...headers }
    return (await send(`/v2/agent/${project}/jobs`, { headers: authorized }, localAddress)).status
  }
  expect(await ask('127.0.0.2')).toBe(200)
  expect(await ask('127.0.0.2', { 'x-forwarded-for': FORGED })).toBe(200)
  expect(await ask('127.0.0.3')).toBe(403)
  expect(await ask('127.0.0.3', { 'x-forwarded-for': '127.0.0.2' })).toBe(403)
  const logs = outputOf('api-1') + outputOf('api-2')
  expect(logs).toContain('127.0.0.3')
  expect(logs).not.toContain(FORGED)
  for (const name of ['api-1', 'api-2'] as const) expect(outputOf(name), name).toMatch(/"POST"|"GET"/)

  // Requests reach the other process when one has died.
  await stop('api-1', 'SIGKILL')
  await accept(['three', 'four'])
  console.log(`nginx: ${await check()} jobs through two API processes, one of which was killed; one pull request each`)
}, 600_000)
