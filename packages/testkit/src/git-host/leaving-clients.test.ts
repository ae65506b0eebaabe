import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildGitEnvironment } from './run-git.ts'
import type { GitHost } from './start-git-host.ts'
import { openTestHost, type TestHost } from './test-support/open-test-host.ts'

let t: TestHost
const path = process.env.PATH ?? ''
beforeAll(async () => {
  t = await openTestHost()
})
afterEach(() => {
  process.env.PATH = path
})
afterAll(() => t.close())

/** Puts a git in the way whose http-backend begins an answer and then says nothing more, as if it were packing for minutes. */
async function slowGitDown(): Promise<void> {
  const script = `#!/bin/sh
if [ "$1" = http-backend ]; then
  printf 'Content-Type: application/octet-stream\\r\\n\\r\\nbegun'
  exec sleep 3599
fi
PATH="${path}" exec git "$@"
`
  await writeFile(join(t.scratch, 'git'), script)
  await chmod(join(t.scratch, 'git'), 0o755)
  process.env.PATH = `${t.scratch}${delimiter}${path}`
}

/** Processes that this one has started and that still run. */
async function countChildren(command: string): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,args='])
  const own = stdout.split('\n').filter((line) => line.trim().startsWith(`${process.pid} `))
  return own.filter((line) => line.includes(command)).length
}

const countSlowGits = () => countChildren('sleep 3599')

async function writePreReceive(host: GitHost, script: string): Promise<void> {
  const hook = join(host.root, '.git-host', 'hooks', 'pre-receive')
  await writeFile(hook, `#!/bin/sh\n${script}\n`)
  await chmod(hook, 0o755)
}

function post(service: string, host = t.host): ClientRequest {
  const authorization = `Basic ${Buffer.from(`x-access-token:${host.token}`).toString('base64')}`
  const headers = { authorization, 'content-type': `application/x-${service}-request` }
  const call = request(`${host.url}/acme/docs/${service}`, { method: 'POST', headers })
  call.on('error', () => {}) // it is about to be cut
  return call
}

describe('a client that goes away', () => {
  it('takes the git of its fetch with it', async () => {
    await slowGitDown()
    const call = post('git-upload-pack')
    call.end('0000')
    await once(call, 'response')
    expect(await countSlowGits()).toBe(1)
    call.destroy()
    await expect.poll(countSlowGits).toBe(0)
  })

  it('takes the git of a push with it that has not arrived completely', async () => {
    await slowGitDown()
    const call = post('git-receive-pack')
    call.write('00')
    await expect.poll(countSlowGits).toBe(1)
    call.destroy()
    await expect.poll(countSlowGits).toBe(0)
    expect(t.host.stats().refUpdates).toEqual([])
  })

  it('does not undo a push that has', async () => {
    await writePreReceive(t.host, 'while kill -0 "$PPID" && [ ! -e "$GIT_DIR/go" ]; do sleep 0.05; done')
    await t.git(t.scratch, 'clone', '--quiet', t.remote('acme/docs'), 'pusher')
    const before = t.host.requests.length
    const client: ChildProcess = spawn('git', ['push', '--quiet', 'origin', 'HEAD:refs/heads/late'], {
      cwd: join(t.scratch, 'pusher'),
      env: buildGitEnvironment(),
      detached: true, // so that git's helper, which holds the connection, can be ended with it
    })
    const pushes = () => t.host.requests.slice(before).filter((noted) => noted.op === 'git.push')
    await expect.poll(pushes).toHaveLength(1)
    process.kill(-(client.pid ?? 0), 'SIGKILL')
    await once(client, 'close')
    expect(pushes()).toMatchObject([{ status: 0 }])
    await writeFile(join(t.host.root, 'acme', 'docs.git', 'go'), '')
    const late = () => t.host.stats().refUpdates.map((update) => update.ref)
    await expect.poll(late).toEqual(['refs/heads/late'])
  })
})

describe('closing the host', () => {
  it('ends the git processes that are still going', async () => {
    const other = await openTestHost()
    await slowGitDown()
    const call = post('git-upload-pack', other.host)
    call.end('0000')
    await once(call, 'response')
    await other.close()
    await expect.poll(countSlowGits).toBe(0)
  })

  it('does not wait for a push that hangs in a hook', async () => {
    const other = await openTestHost()
    await writePreReceive(other.host, 'while kill -0 "$PPID"; do sleep 0.05; done')
    await other.git(other.scratch, 'clone', '--quiet', other.remote('acme/docs'), 'pusher')
    const push = other.git(join(other.scratch, 'pusher'), 'push', 'origin', 'HEAD:refs/heads/never')
    const refused = expect(push).rejects.toThrow()
    const isPushing = () => other.host.requests.some((noted) => noted.op === 'git.push')
    await expect.poll(isPushing).toBe(true)
    await expect.poll(() => countChildren('git http-backend')).toBe(1)
    await other.close()
    await refused
    await expect.poll(() => countChildren('git http-backend')).toBe(0)
  })
})
