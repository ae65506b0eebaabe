import path from 'node:path'
import pg from 'pg'
import { ensureCluster } from './ensure-cluster.ts'
import { type Account, ensureAccount } from './find-account.ts'
import { ensureReachableBinaries, findBinaries } from './find-binaries.ts'
import { findFreePort } from './find-free-port.ts'
import { findServer, toMaintenanceUrl, toUrl } from './find-running-postgres.ts'
import { isPublished, joinUsers, leaveUsers, toUsersFile } from './join-users.ts'
import { launchServer } from './launch-server.ts'
import { removeOrphanedData } from './remove-orphaned-data.ts'
import { isAlive, readLock, removeStaleLock } from './server-lock.ts'
import { ensureState, isOpenToOthers, SHARED_DIR, type State } from './state.ts'

export interface EmbeddedPostgresOptions {
  /** Folder for the data, the password and the server log. Created if missing. */
  readonly stateDir: string
  /** Loopback port. Default: a free port. */
  readonly port?: number
  /** False trades durability for speed, which is acceptable only in tests. Default: true. */
  readonly durable?: boolean
  /** Additional server settings, as `name=value`. */
  readonly settings?: readonly string[]
}

export interface EmbeddedPostgres {
  /** Connection string for the database `corrigenda`. */
  readonly url: string
  readonly port: number
  /** The server's process id. */
  readonly pid: number
  /** True when this call started the server, false when it found one running on the same data. */
  readonly owned: boolean
  /**
   * Stops using the server. The server shuts down (fast shutdown) when its last user leaves,
   * regardless of which process started it. Idempotent.
   */
  stop(): Promise<void>
}

/**
 * Maximum time in milliseconds to wait for another process that is starting or stopping the server
 * on the same data.
 */
const OTHERS_LIMIT_MS = 60_000
/**
 * Maximum number of failed starts while the lock is free. Several in a row are possible while other
 * servers start and stop.
 */
const MAX_REFUSALS = 4
/**
 * Maximum time in milliseconds to try to register with a responding server. After that, the
 * server's keeper must have died, so the server is used without registration.
 */
const JOIN_LIMIT_MS = 10_000

/**
 * Starts a private PostgreSQL 18 server on a free loopback port and initializes its data on the
 * first call. Adopts a server that is already running on the same data. The server stops after the
 * last process that uses it has exited for any reason or called `stop`.
 * @throws Error with instructions when the platform has no build or the server does not start.
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const stateDir = path.resolve(options.stateDir)
  const account = await ensureAccount()
  const state = await ensureState(stateDir, account !== null)
  if (account) await removeOrphanedData(SHARED_DIR, Date.now())
  const server = (await adopt(state)) ?? (await start(options, stateDir, state, account))
  try {
    await ensureDatabase(server.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

async function start(
  options: EmbeddedPostgresOptions,
  stateDir: string,
  state: State,
  account: Account | null,
): Promise<EmbeddedPostgres> {
  const installed = await findBinaries()
  const reachable = account === null || (await isOpenToOthers(path.dirname(installed.postgres)))
  const binaries = reachable ? installed : await ensureReachableBinaries(installed)
  const durable = options.durable ?? true
  await ensureCluster(binaries, state, account, durable)
  const named = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
  if (!durable) named.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  named.push(...(options.settings ?? []))

  const deadline = Date.now() + OTHERS_LIMIT_MS
  let refusals = 0
  for (;;) {
    const port = options.port ?? (await findFreePort())
    const launched = await launchServer(binaries, state, account, stateDir, { port, named })
    if ('pid' in launched) return { ...launched, url: toUrl(state.password, launched.port), owned: true }
    for (let waited = false; ; waited = true) {
      const adopted = await adopt(state)
      if (adopted) return adopted
      const lock = await removeStaleLock(state.dataDir)
      // If the lock is not held, retries a few times, because its holder may have just exited or
      // another process may have taken the free port.
      if (lock !== 'held' && !waited) refusals += 1
      if (refusals > MAX_REFUSALS || Date.now() > deadline) throw new Error(launched.refusal)
      if (lock !== 'held') break
      await pause()
    }
  }
}

/**
 * Registers with the server that is running on this data, or returns null when no server is
 * running.
 */
async function adopt(state: State): Promise<EmbeddedPostgres | null> {
  const deadline = Date.now() + JOIN_LIMIT_MS
  for (;;) {
    const found = await findServer(state)
    if (!found) return null
    const users = toUsersFile(state.dataDir, found.pid)
    const held = joinUsers(users)
    if (held !== null) {
      const isGone = async () =>
        !isAlive(found.pid) || ((await readLock(state.dataDir))?.pid !== found.pid && !isPublished(users))
      let leaving: Promise<void> | undefined
      return { ...found, owned: false, stop: () => (leaving ??= leaveUsers(users, held, isGone)) }
    }
    if (Date.now() > deadline) return { ...found, owned: false, stop: async () => {} }
    await pause()
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: toMaintenanceUrl(url) })
  await client.connect()
  try {
    const known = await client.query("SELECT 1 FROM pg_database WHERE datname = 'corrigenda'")
    if (known.rowCount === 0) await client.query('CREATE DATABASE corrigenda')
  } catch (error) {
    // Another process created the database at the same time.
    if (!['42P04', '23505'].includes(String((error as { code?: unknown }).code))) throw error
  } finally {
    await client.end()
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
