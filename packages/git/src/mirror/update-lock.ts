import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { pause } from '../http/pause.ts'

export interface LockTimes {
  readonly heartbeatMs: number
  /** Age in milliseconds after which an untouched lock is stale. */
  readonly staleMs: number
  /**
   * Maximum time to wait for another process, in milliseconds. The work then continues without the
   * lock.
   */
  readonly waitMs: number
  readonly pollMs: number
}

export const DEFAULT_LOCK_TIMES: LockTimes = { heartbeatMs: 2_000, staleMs: 10_000, waitMs: 120_000, pollMs: 50 }

/**
 * Runs `work` under an advisory lock shared between processes. The lock only prevents duplicate
 * downloads. Publishing is safe without it, so a lost or ignored lock is harmless and the wait is
 * limited.
 */
export async function withUpdateLock<T>(
  path: string,
  times: LockTimes,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const owner = `${process.pid} ${randomUUID()}\n`
  const until = Date.now() + times.waitMs
  let held = await tryLock(path, owner)
  while (!held && Date.now() < until) {
    if (await isStale(path, times.staleMs)) await rm(path, { force: true })
    else await pause(times.pollMs, signal)
    held = await tryLock(path, owner)
  }
  const heartbeat = setInterval(() => {
    if (held) utimes(path, new Date(), new Date()).catch(() => undefined)
  }, times.heartbeatMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    if (held && (await readFile(path, 'utf8').catch(() => '')) === owner) await rm(path, { force: true })
  }
}

async function tryLock(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(path: string, staleMs: number): Promise<boolean> {
  const facts = await stat(path).catch(() => null)
  return facts !== null && Date.now() - facts.mtimeMs > staleMs
}
