import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { findFreePort } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openRollingServices } from '../e2e/test-support/open-rolling-services.ts'
import { makeCertificates } from './test-support/make-certificates.ts'
import { toEnv } from './test-support/open-acceptance.ts'
import { openStream } from './test-support/open-stream.ts'
import { startNginx } from './test-support/start-nginx.ts'

const MIB = 1_048_576
const GITHUB_WEBHOOK_SECRET = 'a-secret-of-the-git-host'

/** Starts nginx with the example in front of two servers, and returns what sends requests to it. */
async function open(dir: string, apis: readonly [string, string]) {
  const certificates = await makeCertificates(dir, 'nginx')
  const nginx = await startNginx({ dir, apis, certificates })
  const ca = await readFile(certificates.ca, 'utf8')
  return async (method: string, route: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { method, ca, body, headers: { ...(body && { 'content-type': 'application/json' }), ...headers } }
    const { response, text, ended } = await openStream(`${nginx.url}${route}`, sent)
    await ended
    return { status: response.statusCode, text: text() }
  }
}

test('nginx accepts every body that the API accepts, and rejects larger ones itself', async () => {
  const services = await openRollingServices()
  const { cli, dir, outputOf, start, urls } = services
  const { host } = new URL(urls['api-1'])
  const send = await open(dir, [host, host])
  const env = toEnv(services, { GITHUB_WEBHOOK_SECRET })
  await cli(env, 'migrate')
  await start('api-1', env)
  const sendEvent = (bytes: number) => {
    const body = JSON.stringify({ zen: '' }).replace('""', `"${'z'.repeat(bytes - '{"zen":""}'.length)}"`)
    const signature = `sha256=${createHmac('sha256', GITHUB_WEBHOOK_SECRET).update(body).digest('hex')}`
    return send('POST', '/v1/github/webhook', body, { 'x-hub-signature-256': signature })
  }
  expect(await sendEvent(5 * MIB)).toEqual({ status: 202, text: '{"woken":0}' })
  const rejected = await sendEvent(5 * MIB + 1)
  expect([rejected.status, rejected.text]).toEqual([413, expect.stringContaining('nginx')])

  const { id: project } = await cli(env, 'project', 'create', '--name', 'Docs', '--repository', services.repositoryUrl)
  const { key } = await cli(env, 'key', 'create', '--project', project, '--name', 'k')
  const job = JSON.stringify({ prompt: 'x'.repeat(MIB) })
  const large = await send('POST', `/v2/agent/${project}/job`, job, { authorization: `Bearer ${key}` })
  expect([large.status, large.text]).toEqual([
    413,
    expect.stringContaining('The body is too large. It can have up to 1 MiB.'),
  ])
  // The API received only this one.
  const listRejected = () => outputOf('api-1').match(/"route":"[^"]+","status":413/g)
  await expect.poll(listRejected).toEqual(['"route":"/v2/agent/:projectId/job","status":413'])
})

/** Counts the requests, and closes the connection of each one without a response after it was read. */
async function openBroken(requests: string[]) {
  const server = http.createServer((request) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume().on('end', () => request.socket.destroy())
  })
  return listen(server)
}

async function openWorking(requests: string[]) {
  const server = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume().on('end', () => response.writeHead(201).end('made'))
  })
  return listen(server)
}

async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-nginx-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test.each([
  ['POST', 1],
  ['PATCH', 1],
  ['GET', 2],
])('a %s request whose connection breaks reaches this many processes: %i', async (method, expected) => {
  const requests: string[] = []
  const send = await open(await makeDir(), [await openBroken(requests), await openBroken(requests)])
  const { status } = await send(method, '/a', method === 'GET' ? undefined : '{}')
  expect([status, requests]).toEqual([502, Array(expected).fill(`${method} /a`)])
})

test('a POST request reaches the other process if the first one does not accept the connection', async () => {
  const requests: string[] = []
  const closed = `127.0.0.1:${await findFreePort()}`
  const send = await open(await makeDir(), [closed, await openWorking(requests)])
  expect(await send('POST', '/a', '{}')).toEqual({ status: 201, text: 'made' })
  expect(requests).toEqual(['POST /a'])
})
