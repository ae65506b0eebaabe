import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildGitEnvironment } from './git/run-git.ts'
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

/** Replaces git with a script whose http-backend starts a response and then stalls. */
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

/** Counts the child processes of this process whose command line contains `command`. */
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
  call.on('error', () => {}) // the connection is cut later
  return call
}

/** Opens a connection that stays open after one request. */
async function openIdleConnection(host: GitHost): Promise<Socket> {
  const agent = new Agent({ keepAlive: true })
  const call = request(`${host.url}/`, { agent })
  call.end()
  const [page] = (await once(call, 'response')) as [IncomingMessage]
  const { socket } = page
  await text(page)
  return socket
}

/**
 * Blocks `git log` until a file `go` exists. Returns a function that returns true once git
 * is blocked.
 */
async function holdLogs({ scratch }: TestHost): Promise<() => boolean> {
  const script = `#!/bin/sh
case "$*" in *' log '*)
  touch ${scratch}/begun
  while [ -d ${scratch} ] && [ ! -e ${scratch}/go ]; do sleep 0.02; done
esac
PATH="${path}" exec git "$@"
`
  await writeFile(join(scratch, 'git'), script)
  await chmod(join(scratch, 'git'), 0o755)
  process.env.PATH = `${scratch}${delimiter}${path}`
  return () => existsSync(join(scratch, 'begun'))
}

describe('a client disconnect', () => {
  it('stops the git process that serves a fetch', async () => {
    await slowGitDown()
    const call = post('git-upload-pack')
    call.end('0000')
    await once(call, 'response')
    expect(await countSlowGits()).toBe(1)
    call.destroy()
    await expect.poll(countSlowGits).toBe(0)
  })

  it('stops the git process that receives an incomplete push', async () => {
    await slowGitDown()
    const call = post('git-receive-pack')
    call.write('00')
    await expect.poll(countSlowGits).toBe(1)
    call.destroy()
    await expect.poll(countSlowGits).toBe(0)
    expect(t.host.stats().refUpdates).toEqual([])
  })

  it('does not undo a complete push', async () => {
    await writePreReceive(t.host, 'while kill -0 "$PPID" && [ ! -e "$GIT_DIR/go" ]; do sleep 0.05; done')
    await t.git(t.scratch, 'clone', '--quiet', t.remote('acme/docs'), 'pusher')
    const before = t.host.requests.length
    const client: ChildProcess = spawn('git', ['push', '--quiet', 'origin', 'HEAD:refs/heads/late'], {
      cwd: join(t.scratch, 'pusher'),
      env: buildGitEnvironment(),
      detached: true, // so that git's helper, which holds the connection, is also killed
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
  it('finishes a running page request and closes idle connections', async () => {
    const other = await openTestHost()
    const idle = await openIdleConnection(other.host)
    const call = request(`${other.host.url}/acme/docs`, { agent: new Agent({ keepAlive: true }) })
    const begun = await holdLogs(other)
    const responded = once(call, 'response')
    call.end()
    await expect.poll(begun).toBe(true)
    const closed = other.host.close()
    await once(idle, 'close')
    await expect(fetch(other.host.url)).rejects.toThrow()
    await writeFile(join(other.scratch, 'go'), '')
    const [page] = (await responded) as [IncomingMessage]
    expect(page.statusCode).toBe(200)
    expect(await text(page)).toContain('Second page')
    await closed
    await other.close()
  })

  it('stops running git processes', async () => {
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
