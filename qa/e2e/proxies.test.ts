import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import {
  type RunningProcess,
  runProcess,
  startProcess,
  waitForUrl,
} from '@corrigenda/cli/internal/test-support/start-process'
import { AgentJob } from '@corrigenda/contracts'
import { startPostgres } from '@corrigenda/embedded-postgres'
import {
  findFreePort,
  findTinyproxy,
  makeDatabaseDir,
  promptModelScript,
  scriptPrompt,
  startConnectProxy,
  startGitHost,
  startMessagesApi,
  startTinyproxy,
  startTlsFront,
  TEST_CERTIFICATE,
} from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'

const NAMES = {
  git: 'git.corrigenda.test',
  model: 'model.corrigenda.test',
  hooks: 'hooks.corrigenda.test',
  login: 'login.corrigenda.test',
}
/**
 * Starts the services and everything that they call. No name server resolves the names of the called
 * hosts, so direct connections fail, and only the innermost proxy can connect to them.
 */
async function open(program: string | null) {
  const dir = await makeDatabaseDir('corrigenda-proxies-')
  const closers: (() => unknown)[] = [() => rm(dir, { recursive: true, force: true })]
  onTestFinished(async () => {
    for (const close of closers.reverse()) await close()
  })
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  closers.push(() => postgres.stop())
  const publicUrl = `https://${NAMES.git}`
  const gitPort = await findFreePort()
  const host = await startGitHost({ root: path.join(dir, 'repositories'), port: gitPort, publicUrl })
  closers.push(host.close)
  const files = new Map([['page.mdx', { data: '---\ntitle: Page\n---\n\nMarker one.\n' }]])
  await host.createRepository('acme/docs', { commits: [{ message: 'docs: start', files }] })
  const model = await startMessagesApi({ modelScript: promptModelScript })
  closers.push(model.close)
  const received: string[] = []
  const hooks = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
  closers.push(() => hooks.close().closeAllConnections())
  const login = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    const issuer = `https://${NAMES.login}`
    const discovery = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(discovery))
  })
  await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve))
  closers.push(() => login.close().closeAllConnections())
  const targets: Record<string, number> = {}
  const add = async (name: string, port: number) => {
    const tls = await startTlsFront(port)
    closers.push(tls.close)
    targets[`${name}:443`] = tls.port
  }
  await add(NAMES.git, gitPort)
  await add(NAMES.model, Number(new URL(model.url).port))
  await add(NAMES.hooks, (hooks.address() as AddressInfo).port)
  await add(NAMES.login, (login.address() as AddressInfo).port)
  const password = 'proxy-password-1'
  const strict = await startConnectProxy({ targets, ...(program === null ? { credentials: `docs:${password}` } : {}) })
  closers.push(strict.close)
  const tinyproxy = program && (await startTinyproxy({ program, next: strict.url, user: 'docs', password }))
  if (tinyproxy) closers.push(tinyproxy.close)
  const ca = path.join(dir, 'ca.pem')
  await writeFile(ca, TEST_CERTIFICATE.cert)
  const env = {
    DATABASE_URL: postgres.url,
    CORRIGENDA_SECRET: 'a-secret-for-the-proxy-tests-0123456789abcd',
    HOST: '127.0.0.1',
    PORT: '0',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: `https://${NAMES.model}`,
    GITHUB_TOKEN: host.token,
    GITHUB_API_URL: `https://${NAMES.git}/api/v3`,
    OIDC_ISSUER: `https://${NAMES.login}`,
    OIDC_CLIENT_ID: 'docs',
    OIDC_CLIENT_SECRET: 'a-secret-for-the-login',
    ALLOWED_REPOSITORY_HOSTS: NAMES.git,
    ALLOWED_HOOK_HOSTS: NAMES.hooks,
    CACHE_DIR: path.join(dir, 'cache'),
    SWEEP_SECONDS: '0.3',
    LOG_LEVEL: 'debug',
    NODE_EXTRA_CA_CERTS: ca,
    HTTPS_PROXY: (tinyproxy || strict).url,
  }
  return { dir, env, host, model, strict, received, password, closers }
}

/** Runs a job with a deploy hook and a webhook, and a sign-in, and returns every target that the proxy was asked for. */
async function work(service: Awaited<ReturnType<typeof open>>) {
  const { dir, env, host, closers, received, strict, password } = service
  const run = async (...args: string[]) => {
    const result = await runProcess(dir, args, env)
    if (result.code !== 0) throw new Error(`${args.join(' ')}: ${result.err}${result.out}`)
    return result.out
  }
  await run('migrate')
  const project = JSON.parse(
    await run('project', 'create', '--name', 'Docs', '--repository', host.repositoryUrl('acme/docs'), '--json'),
  ).id
  const made = await run('key', 'create', '--project', project, '--name', 'k', '--json')
  const { key } = JSON.parse(made)
  await run('webhook', 'add', '--project', project, '--url', `https://${NAMES.hooks}/webhook`)
  const processes: RunningProcess[] = []
  closers.push(() => Promise.all(processes.map((one) => one.stop('SIGKILL'))))
  const api = startProcess(dir, ['api'], env)
  processes.push(api, startProcess(dir, ['worker'], env))
  const url = await waitForUrl(api)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const edit = { path: 'page.mdx', old_str: 'Marker one.', new_str: 'Written through a proxy.' }
  const prompt = scriptPrompt('Edit the page', [[{ tool: 'edit', input: edit }]])
  const created = await fetch(`${url}/v2/agent/${project}/job`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ prompt }),
  })
  const { id } = (await created.json()) as { id: string }
  const read = async () =>
    AgentJob.parse(await (await fetch(`${url}/v2/agent/${project}/job/${id}`, { headers })).json())
  await expect.poll(async () => (await read()).status, { interval: 200 }).not.toBe('active')
  await expect.poll(() => received, { interval: 200 }).toContain('POST /webhook')
  const signIn = await fetch(`${url}/dashboard/api/sign-in/oidc`, { redirect: 'manual' })
  expect(signIn.headers.get('location')).toMatch(/^https:\/\/login\.corrigenda\.test\/authorize\?/)
  const doctor = (await runProcess(dir, ['doctor'], env)).out
  const logs = processes.map((one) => one.output()).join('\n')
  for (const output of [logs, doctor]) expect(output).not.toContain(password)
  return {
    job: await read(),
    doctor,
    targets: new Set(strict.requests.map(({ target, status }) => `${target} ${status}`)),
  }
}

const EVERY_TARGET = new Set(Object.values(NAMES).map((name) => `${name}:443 200`))

test('a job, its webhook, a sign-in and doctor work if the proxy is the only way out', async () => {
  const service = await open(null)
  const { job, doctor, targets } = await work(service)
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', failure: null })
  expect(job.prLink).toBe('https://git.corrigenda.test/acme/docs/pull/1')
  expect(service.host.pulls('acme/docs')).toHaveLength(1)
  expect(targets).toEqual(EVERY_TARGET)
  expect(doctor).not.toMatch(/^FAIL.*(Repository|Model)/m)
})

test('the same through Tinyproxy', async (context) => {
  const program = await findTinyproxy()
  if (program === null) return context.skip('Tinyproxy is not installed (Debian: apt-get install tinyproxy-bin)')
  const { job, targets } = await work(await open(program))
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', failure: null })
  expect(targets).toEqual(EVERY_TARGET)
})
