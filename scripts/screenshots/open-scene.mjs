import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { loadApiConfig, startApi } from '../../apps/api/dist/index.js'
import { serve } from '../../apps/cli/dist/services/serve.js'
import { openLog } from '../../packages/core/dist/runtime/index.js'

const ADMIN = { name: 'Olive Adams', email: 'olive@example.com', password: 'correct horse battery staple' }

const PROMPTS = [
  'Document the new --json flag',
  'replace "time zone" with "timezone" in guides/**',
  'add page guides/proxy titled "Use a proxy" in group "Guides" with text """Set `HTTPS_PROXY` before you start the scheduler."""',
  'fix broken links',
  'add page guides/backups',
  'Write something about the weather.',
]

/**
 * Starts the product with the demo's database, Git host and model in a separate folder, and an
 * additional API with sign-in. The demo's own API would not show the sign-in pages.
 */
export async function openScene() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-screenshots-'))
  await chmod(dir, 0o755)
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end('ok')))
  await new Promise((done) => receiver.listen(0, '127.0.0.1', done))
  const hooks = `127.0.0.1:${receiver.address().port}`
  const log = openLog({ level: 'silent', secrets: [] })
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ALLOWED_HOOK_HOSTS: hooks }
  const serving = await serve({ env, cwd: dir }, { api: log, worker: log })
  const api = await startApi(loadApiConfig({ ...serving.env, PORT: '0' }), log)
  const { url } = api
  let cookie = ''
  const ask = async (method, at, body) => {
    const response = await fetch(`${url}${at}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${at} returned ${response.status}: ${await response.text()}`)
    cookie =
      response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ') || cookie
    return response.status === 204 ? null : response.json()
  }
  return {
    url,
    cookie: () => cookie,
    /** Creates the first account and all data that the pages show. */
    async createData() {
      await ask('POST', '/dashboard/api/setup', ADMIN)
      const repository = serving.demoHost.sampleUrl
      const { id } = await ask('POST', '/dashboard/api/projects', { name: 'Tidewater docs', repository })
      await ask('POST', '/dashboard/api/projects', { name: 'Harbour handbook', repository })
      const below = `/dashboard/api/projects/${id}`
      for (const [name, expiresInDays] of [
        ['docs-bot', 90],
        ['release pipeline', 7],
        ['local testing', null],
      ]) {
        await ask('POST', `${below}/keys`, { name, scopes: ['jobs:read', 'jobs:write'], expiresInDays })
      }
      const old = (await ask('GET', `${below}/keys`)).keys.find(({ name }) => name === 'local testing')
      await ask('POST', `${below}/keys/${old.id}/revoke`)
      const { url: invitation } = await ask('POST', `${below}/invitations`, {
        role: 'member',
        email: 'max@example.com',
      })
      await ask('PATCH', `${below}/settings`, {
        policy: {
          writable: ['cli/**', 'guides/**', 'troubleshooting/**', 'docs.json'],
          labels: ['docs'],
          instructions: 'Write in British English.',
        },
        budgets: { maxCostUsd: 1.5 },
        sources: serving.demoHost.sampleSources,
        deployTarget: { kind: 'hook', url: `http://${hooks}/deploy` },
        deployOnMerge: true,
      })
      const webhook = await ask('POST', `/v1/project/${id}/webhooks`, {
        url: `http://${hooks}/events`,
        description: 'Chat',
      })
      await ask('POST', `/v1/project/${id}/webhooks/${webhook.id}/test`)
      await ask('POST', `/v1/project/update/${id}`)
      const jobs = []
      for (const prompt of PROMPTS) {
        const { id: jobId } = await ask('POST', `/v2/agent/${id}/job`, { prompt })
        jobs.push(jobId)
        await waitForEnd(() => ask('GET', `/v2/agent/${id}/job/${jobId}`))
      }
      const { id: stopped } = await ask('POST', `/v2/agent/${id}/job`, { prompt: PROMPTS[1] })
      await ask('POST', `/v2/agent/${id}/job/${stopped}/cancel`).catch(() => {})
      return { projectId: id, jobId: jobs[0], invitation: new URL(invitation).pathname }
    },
    async close() {
      await api.close()
      await serving.close()
      await new Promise((done) => receiver.close(done))
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function waitForEnd(read) {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await read()).status !== 'active') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('A job did not finish in time.')
}
