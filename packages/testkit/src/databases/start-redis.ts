import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { findFreePort } from '@corrigenda/embedded-postgres'

export interface TestRedis {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Stops the server. `restart` restarts it on the same port with the same data. */
  stop(signal?: NodeJS.Signals): Promise<void>
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  close(): Promise<void>
}

/**
 * Starts a private Redis server on a free loopback port with the settings that the product requires
 * (AOF every second, no eviction).
 * @param program path of the server executable, see ensureRedisServer
 */
export async function startRedis(program: string): Promise<TestRedis> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-redis-'))
  const port = await findFreePort()
  const launch = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--daemonize', 'no']
    args.push(
      '--appendonly',
      'yes',
      '--appendfsync',
      'everysec',
      '--maxmemory-policy',
      'noeviction',
      '--loglevel',
      'warning',
    )
    const child = spawn(program, args, { stdio: 'ignore' })
    const exited = new Promise<void>((resolve) => {
      child.on('exit', () => resolve())
      child.on('error', () => resolve())
    })
    await waitUntilReady(port, () => child.exitCode !== null)
    return { child, exited }
  }
  let server = await launch()
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    server.child.kill(signal)
    await server.exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.child.pid ?? -1
    },
    stop,
    async restart() {
      server = await launch()
    },
    async close() {
      await stop('SIGKILL')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(port: number, hasEnded: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (hasEnded()) throw new Error('The Redis server exited during startup.')
    if (await pings(port)) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('The Redis server did not respond within 10 s.')
}

function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.on('data', (data) => {
      socket.destroy()
      resolve(data.toString().startsWith('+PONG'))
    })
    socket.on('error', () => resolve(false))
  })
}
