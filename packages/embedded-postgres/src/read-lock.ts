import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The contents of PostgreSQL's lock file. */
export interface Lock {
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
