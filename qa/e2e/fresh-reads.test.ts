import { chmod, mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { runProcess, startProcess, waitForUrl } from '@corrigenda/cli/internal/test-support/start-process'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createTestRun } from '@corrigenda/core/internal/test-support/create-test-run'
import { createKey } from '@corrigenda/core/keys'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const SECRET = 'c03f9a1e5b7d2468ace013579bdf8642fedcba9876543210'
const PROCESSES = 3
const CONNECTIONS = 50
/** Revoked keys and changes of the job. The short form has fewer of both. */
const { ROUNDS, CHANGES } = process.env.QA_SHORT ? { ROUNDS: 2, CHANGES: 150 } : { ROUNDS: 5, CHANGES: 500 }
const OWNER = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }
const BROWSER = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

let service: Awaited<ReturnType<typeof open>>
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  service = await open((close) => void closing.unshift(close))
})
afterAll(async () => {
  for (const close of closing) await close()
})

/**
 * Starts API processes on one database with a project, a job and a signed-in admin.
 * @param later called with a function for each resource, which closes the resource
 */
async function open(later: (close: () => Promise<unknown>) => void) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-fresh-reads-'))
  later(() => rm(dir, { recursive: true, force: true }))
  await chmod(dir, 0o755)
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  later(() => postgres.stop())
  const env = {
    DATABASE_URL: postgres.url,
    CORRIGENDA_SECRET: SECRET,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    EDGE_RATE_LIMIT: '10000000',
    FAILED_AUTH_RATE_LIMIT: '10000000',
  }
  expect((await runProcess(dir, ['migrate'], env)).code).toBe(0)
  const urls = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const api = startProcess(dir, ['api'], { ...env, PORT: '0' })
      later(() => api.stop('SIGKILL'))
      const url = await waitForUrl(api)
      const limits = { timeout: 120_000, interval: 200 }
      await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).ok, api.output()).toBe(true), limits)
      return url
    }),
  )
  const database = openDatabase({ url: postgres.url, maxConnections: 2, onError: () => {} })
  later(() => database.close())
  const post = async (route: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', headers: { ...BROWSER, ...headers }, body: JSON.stringify(body) }
    return await fetch(`${urls[0]}/dashboard/api${route}`, sent)
  }
  const setup = await post('/setup', OWNER)
  const cookie = setup.headers.getSetCookie().map((line) => line.split(';')[0])
  const { jobId, projectId } = await createTestRun(database)
  const { keyPepper } = deriveSecrets(SECRET)
  return {
    urls,
    database,
    jobId,
    projectId,
    makeKey: () =>
      createKey(
        { ...database, keyPepper, audit: COMMAND_LINE },
        { projectId, name: 'k', scopes: ['jobs:read'], expiresInDays: null },
      ),
    async revoke(keyId: string) {
      const response = await post(`/projects/${projectId}/keys/${keyId}/revoke`, {}, { cookie: cookie.join('; ') })
      expect(response.status, await response.text()).toBe(200)
    },
  }
}

/** Sends a GET request on a connection that is kept. */
function openConnection(key: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const get = (url: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = http.get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
      request.on('error', reject)
    })
  return { get, close: () => agent.destroy() }
}

test('no request sent after the response to a revocation is accepted, with 50 connections to three processes', async () => {
  const { urls, jobId, projectId, makeKey, revoke } = service
  const paths = [`/v2/agent/${projectId}/job/${jobId}`, `/api/agent/v2/${projectId}/job/${jobId}`]
  paths.push(`/v2/agent/${projectId}/jobs`)
  for (let round = 0; round < ROUNDS; round += 1) {
    const { key, id } = await makeKey()
    let isRevoked = false
    let isOver = false
    const answers = { before: new Map<number, number>(), after: new Map<number, number>() }
    const poll = async (n: number) => {
      const connection = openConnection(key)
      for (let step = n; !isOver; step += 1) {
        const counts = isRevoked ? answers.after : answers.before
        const { status } = await connection.get(`${urls[n % urls.length]}${paths[step % paths.length]}`)
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
      connection.close()
    }
    const polls = Array.from({ length: CONNECTIONS }, (_, n) => poll(n))
    await vi.waitFor(() => expect(answers.before.get(200)).toBeGreaterThan(20 * CONNECTIONS), { timeout: 60_000 })
    await revoke(id)
    isRevoked = true
    await vi.waitFor(() => expect(answers.after.get(401)).toBeGreaterThan(5 * CONNECTIONS), { timeout: 60_000 })
    isOver = true
    await Promise.all(polls)
    expect([...answers.after.keys()]).toEqual([401])
    // Requests that were sent before the response may have been read before or after the revocation.
    expect([...answers.before.keys()].filter((status) => status !== 200 && status !== 401)).toEqual([])
  }
}, 600_000)

test('no caller is shown an older state of a job than one that it was shown or that was stored before', async () => {
  const { urls, database, jobId, projectId, makeKey } = service
  const { key } = await makeKey()
  let stored = 0
  let isOver = false
  const poll = async (n: number) => {
    const connection = openConnection(key)
    let seen = 0
    for (let step = n, isLast = false; !isLast; step += 1) {
      isLast = isOver
      const oldest = Math.max(seen, stored)
      const { status, body } = await connection.get(`${urls[step % urls.length]}/v2/agent/${projectId}/job/${jobId}`)
      expect(status).toBe(200)
      seen = JSON.parse(body).usage.turns
      expect(seen).toBeGreaterThanOrEqual(oldest)
    }
    connection.close()
    return seen
  }
  const polls = Array.from({ length: CONNECTIONS }, (_, n) => poll(n))
  for (let turns = 1; turns <= CHANGES; turns += 1) {
    await database.prisma.job.update({ where: { id: jobId }, data: { turns } })
    stored = turns
  }
  isOver = true
  expect(Math.max(...(await Promise.all(polls)))).toBe(CHANGES)
}, 600_000)
