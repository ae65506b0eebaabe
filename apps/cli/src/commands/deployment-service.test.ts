import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Deployment } from '@corrigenda/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { startProcess } from '../test-support/start-process.ts'

/** A server that answers the given status and keeps the keys under which it was called. */
async function startHook() {
  const hook = { status: 200, keys: [] as unknown[], at: '' }
  const server = createServer((request, response) => {
    hook.keys.push(request.headers['idempotency-key'])
    request.resume()
    response.writeHead(hook.status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  hook.at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return hook
}

test('a service as people start it deploys what a backend asks it to', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-cli-'))
  await chmod(dir, 0o755)
  const hook = await startHook()
  const env = { ALLOWED_HOOK_HOSTS: hook.at }
  const serve = startProcess(dir, ['serve'], { ...env, PORT: '0' })
  onTestFinished(async () => {
    await serve.stop()
    await rm(dir, { recursive: true, force: true })
  })
  await expect.poll(() => serve.output(), { timeout: 60_000 }).toContain('worker started')
  const [sample = ''] = /http:\/\/127\.0\.0\.1:\d+\/tidewater\/docs/.exec(serve.output()) ?? []
  const [, url = ''] = /"url":"(http:[^"]+)"[^\n]*api listening/.exec(serve.output()) ?? []
  const json = async (...args: string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'], env)
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  }
  const { id } = await json('project', 'create', '--name', 'Docs', '--repository', sample)
  const { key } = await json('key', 'create', '--project', id, '--name', 'backend')
  const send = (method: string, route: string) =>
    fetch(`${url}/v1/project/${route}`, { method, headers: { authorization: `Bearer ${key}` } })
  const deploy = async () => {
    const accepted = await send('POST', `update/${id}`)
    expect(accepted.status).toBe(202)
    const { statusId } = (await accepted.json()) as { statusId: string }
    const read = async () => Deployment.parse(await (await send('GET', `update-status/${statusId}`)).json())
    await expect.poll(async () => (await read()).endedAt, { timeout: 60_000, interval: 200 }).not.toBeNull()
    return read()
  }

  expect((await send('POST', `update/${id}`)).status).toBe(409)
  await json('project', 'update', id, '--deploy-hook', `http://${hook.at}/publish`)
  const first = await deploy()
  expect(first).toMatchObject({
    status: 'success',
    commit: { ref: 'main', sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
  })
  expect(hook.keys).toEqual([first._id])
  hook.status = 400
  expect(await deploy()).toMatchObject({ status: 'failure', summary: expect.stringContaining('answered 400') })
  expect(await json('deployment', 'list', '--project', id, '--limit', '1')).toMatchObject({
    updates: [{ status: 'failure' }],
    nextCursor: expect.any(String),
  })
}, 180_000)
