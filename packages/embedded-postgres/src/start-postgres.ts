import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { type Account, ensureAccount } from './find-account.ts'
import { type Binaries, ensureReachableBinaries, findBinaries } from './find-binaries.ts'
import { findPostmaster, toUrl } from './find-running-postgres.ts'
import { ensureState, isOpenToOthers, type State } from './state.ts'

export interface EmbeddedPostgresOptions {
  /** Folder for the data, the password and the server's log; created when missing. */
  readonly stateDir: string
  /** Loopback port; default: a free one. */
  readonly port?: number
  /** false trades durability for speed: for tests, never for real data. Default true. */
  readonly durable?: boolean
  /** Further server settings, as `name=value`. */
  readonly settings?: readonly string[]
}

export interface EmbeddedPostgres {
  /** Connection string of the database `corrigenda`. */
  readonly url: string
  readonly port: number
  /** Process id of the server itself. */
  readonly pid: number
  /** True when this call started the server, false when it found one running on the same data. */
  readonly owned: boolean
  /** Ends the server (fast shutdown) when this call started it. May be repeated. */
  stop(): Promise<void>
}

/** Where the data and programs go that an unprivileged server cannot reach below a private folder. */
const SHARED_DIR = '/var/lib/corrigenda'
const START_LIMIT_MS = 60_000

/**
 * Starts a private PostgreSQL 18 on a free loopback port, initialising its data on the first call; adopts a server that already runs on
 * the same data. The server ends when this process ends, however it ends.
 * @throws Error that says what to do when the platform has no build or the server does not start.
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const stateDir = path.resolve(options.stateDir)
  const account = await ensureAccount()
  const state = await ensureState(stateDir, SHARED_DIR, account !== null)
  const running = await findPostmaster(state.dataDir)
  if (running) return { ...running, url: toUrl(state.password, running.port), owned: false, stop: async () => {} }

  const installed = await findBinaries()
  const reachable = account === null || (await isOpenToOthers(path.dirname(installed.postgres)))
  const binaries = reachable ? installed : await ensureReachableBinaries(installed, SHARED_DIR)
  await ensureCluster(binaries, state, account, options.durable ?? true)
  const server = await launch(binaries, state, account, stateDir, options)
  const url = toUrl(state.password, server.port)
  try {
    await ensureDatabase(url)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { ...server, url, owned: true }
}

async function ensureCluster(
  binaries: Binaries,
  state: State,
  account: Account | null,
  durable: boolean,
): Promise<void> {
  if (await stat(path.join(state.dataDir, 'PG_VERSION')).catch(() => null)) return
  // A first start that was cut off leaves a half-made cluster without PG_VERSION's siblings: begin again.
  await rm(state.dataDir, { recursive: true, force: true })
  await mkdir(path.dirname(state.dataDir), { recursive: true })
  await mkdir(state.dataDir, { mode: 0o700 })
  const passwordFile = `${state.dataDir}.password`
  await writeFile(passwordFile, state.password, { mode: 0o600 })
  if (account) await Promise.all([state.dataDir, passwordFile].map((p) => chown(p, account.uid, account.gid)))
  try {
    const args = ['-D', state.dataDir, '-U', 'corrigenda', '-A', 'scram-sha-256', '--pwfile', passwordFile]
    args.push('-E', 'UTF8', '--locale=C', '--data-checksums')
    if (!durable) args.push('--no-sync')
    const child = spawn(binaries.initdb, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const code = await exitOf(child)
    if (code !== 0) {
      await rm(state.dataDir, { recursive: true, force: true })
      throw new Error(`PostgreSQL could not create its data (initdb ended with ${code}): ${lastLine(output)}`)
    }
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/**
 * The shell between us and the server holds a pipe to this process: when we end, however we end, it reads the end of the pipe and asks the
 * server for a fast shutdown. Detached, so that Ctrl-C in a terminal reaches only us and we close our connections first.
 */
const KEEPER = `exec 3<&0
"$@" 3<&- </dev/null &
server=$!
{ read -r _ <&3; kill -INT "$server" 2>/dev/null; } &
reader=$!
exec 3<&-
wait "$server"; code=$?
kill "$reader" 2>/dev/null
exit "$code"`

async function launch(
  binaries: Binaries,
  state: State,
  account: Account | null,
  stateDir: string,
  options: EmbeddedPostgresOptions,
): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
  if (!(options.durable ?? true)) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  const port = options.port ?? (await findFreePort())
  const args = ['-D', state.dataDir, '-p', String(port)]
  for (const setting of [...settings, ...(options.settings ?? [])]) args.push('-c', setting)
  const logFile = path.join(stateDir, 'postgres.log')
  const log = await open(logFile, 'a')
  const child = spawn('/bin/sh', ['-c', KEEPER, 'keeper', binaries.postgres, ...args], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  })
  child.stdin?.on('error', () => {})
  const exited = exitOf(child)
  await log.close()
  const deadline = Date.now() + START_LIMIT_MS
  for (;;) {
    const found = await findPostmaster(state.dataDir)
    if (found && found.port === port) {
      // Neither the server nor its pipe keeps this process alive.
      child.unref()
      ;(child.stdin as net.Socket | null)?.unref()
      return { port, pid: found.pid, stop: () => stop(child, exited) }
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child, exited)
      throw new Error(
        `The embedded PostgreSQL did not start: ${lastLine(await readFile(logFile, 'utf8'))} (see ${logFile})`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function stop(child: ChildProcess, exited: Promise<number | string>): Promise<void> {
  child.ref()
  child.stdin?.end()
  await exited
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/\/corrigenda$/, '/postgres') })
  await client.connect()
  try {
    const known = await client.query("SELECT 1 FROM pg_database WHERE datname = 'corrigenda'")
    if (known.rowCount === 0) await client.query('CREATE DATABASE corrigenda')
  } finally {
    await client.end()
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'nothing'))
    child.on('error', (error) => resolve(error.message))
  })
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? ''
