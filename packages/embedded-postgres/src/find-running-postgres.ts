import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { isAlive, readLock } from './server-lock.ts'
import { readState, type State } from './state.ts'

const RESPONSE_LIMIT_MS = 2000

/**
 * Returns the running server whose state folder is `stateDir`, or null when no server is running.
 */
export async function findRunningPostgres(
  stateDir: string,
): Promise<{ url: string; pid: number; port: number } | null> {
  const state = await readState(path.resolve(stateDir))
  return state && findServer(state)
}

/**
 * Returns the server that is running on this data and accepts the stored password, or null when no
 * server is running. The lock file is not sufficient, because its process id may belong to a
 * different process after a crash, which is common in containers.
 */
export async function findServer(state: State): Promise<{ url: string; pid: number; port: number } | null> {
  const lock = await readLock(state.dataDir)
  if (!lock?.ready || !isAlive(lock.pid)) return null
  const url = toUrl(state.password, lock.port)
  return (await isResponding(url)) ? { url, pid: lock.pid, port: lock.port } : null
}

async function isResponding(url: string): Promise<boolean> {
  // Uses a separate socket, so that an unresponsive server cannot keep it open.
  const socket = new net.Socket()
  const client = new pg.Client({
    connectionString: toMaintenanceUrl(url),
    stream: () => socket,
    connectionTimeoutMillis: RESPONSE_LIMIT_MS,
    query_timeout: RESPONSE_LIMIT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
    socket.destroySoon()
    setTimeout(() => socket.destroy(), RESPONSE_LIMIT_MS).unref()
  }
}

export function toUrl(password: string, port: number): string {
  return `postgresql://corrigenda:${password}@127.0.0.1:${port}/corrigenda`
}

/** Returns the URL of the database that always exists on the same server. */
export const toMaintenanceUrl = (url: string): string => url.replace(/\/corrigenda$/, '/postgres')
