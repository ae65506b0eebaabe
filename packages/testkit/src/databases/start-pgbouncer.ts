import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@corrigenda/embedded-postgres'
import { waitUntilListening } from '../debian/wait-until-listening.ts'

export interface TestPgBouncer {
  /** URL of the database through the pooler. */
  readonly url: string
  /** Ends the pooler, and with it every connection, and starts it again on the same port. */
  restart(pauseMs?: number): Promise<void>
  close(): Promise<void>
}

export interface PgBouncerOptions {
  /** Path of the program, see ensurePgBouncer. */
  readonly program: string
  readonly databaseUrl: string
  /** Default: `transaction`. */
  readonly poolMode?: 'transaction' | 'session'
  /** Maximum number of connections to Postgres. Default: 10. */
  readonly poolSize?: number
}

/** Starts a private PgBouncer on a free loopback port, with the settings that docs/scaling.md requires. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<TestPgBouncer> {
  const { program, databaseUrl, poolMode = 'transaction', poolSize = 10 } = options
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-pgbouncer-'))
  const port = await findFreePort()
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const file = path.join(dir, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${serverPort} user=${decodeURIComponent(username)} password='${decodeURIComponent(password)}' connect_query='SET statement_timeout = 9000; SET lock_timeout = 6000; SET idle_in_transaction_session_timeout = 8000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
max_client_conn = 500
ignore_startup_parameters = options
server_login_retry = 1
`,
  )
  // PgBouncer does not run as root.
  await chmod(dir, 0o755)
  await chmod(file, 0o644)
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file]
  const launch = async () => {
    const child = spawn(program, args, { stdio: 'ignore' })
    const exited = new Promise<void>((resolve) => {
      child.on('exit', () => resolve())
      child.on('error', () => resolve())
    })
    await waitUntilListening(port, child)
    return { child, exited }
  }
  let server = await launch()
  const stop = async () => {
    server.child.kill('SIGKILL')
    await server.exited
  }
  return {
    url: `postgresql://app@127.0.0.1:${port}/${name}`,
    async restart(pauseMs = 0) {
      await stop()
      await sleep(pauseMs)
      server = await launch()
    },
    async close() {
      await stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
