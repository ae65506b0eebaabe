import { execFile } from 'node:child_process'
import { readFile, realpath, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The contents of PostgreSQL's lock file. */
interface Lock {
  readonly pid: number
  readonly port: number
  /** True when the server accepts connections. */
  readonly ready: boolean
  readonly text: string
}

export const toLockFile = (dataDir: string): string => path.join(dataDir, 'postmaster.pid')

/**
 * Reads `postmaster.pid`, in which line 1 is the process id, line 4 the port and line 8 the status.
 * Returns null when the file is missing or incomplete.
 */
export async function readLock(dataDir: string): Promise<Lock | null> {
  const text = await readFile(toLockFile(dataDir), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null
  return { pid, port, ready: lines[7]?.startsWith('ready') ?? false, text }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Checks the lock file after PostgreSQL refused to start because of it. Returns `free` when the
 * lock does not refer to a live process. Removes the file and returns `removed` when the process is
 * not a server on this data and the port refuses connections. Otherwise returns `held`, because a
 * server that is starting, running or stopping may hold it.
 */
export async function removeStaleLock(dataDir: string): Promise<'free' | 'removed' | 'held'> {
  const lock = await readLock(dataDir)
  if (!lock || !isAlive(lock.pid)) return 'free'
  if ((await isServerOn(lock.pid, dataDir)) || !(await refuses(lock.port))) return 'held'
  if ((await readLock(dataDir))?.text !== lock.text) return 'held'
  await rm(toLockFile(dataDir), { force: true })
  return 'removed'
}

/**
 * Returns true if this process was started as a server on this data or if its command line cannot
 * be read.
 */
async function isServerOn(pid: number, dataDir: string): Promise<boolean> {
  const data = await realpath(dataDir)
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  if (args !== null) {
    const words = args.split('\0')
    const named = words[words.indexOf('-D') + 1] ?? ''
    return words.includes('-D') && (await realpath(named).catch(() => named)) === data
  }
  const listed = await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => null)
  return !listed || listed.stdout.includes(dataDir) || listed.stdout.includes(data)
}

function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: 2000 })
    const settle = (refused: boolean) => {
      socket.destroy()
      resolve(refused)
    }
    socket.on('connect', () => settle(false))
    socket.on('timeout', () => settle(false))
    socket.on('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'))
  })
}
