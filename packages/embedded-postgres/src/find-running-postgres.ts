import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readState } from './state.ts'

/** Address of the server that runs on the data below `stateDir`, or null when none runs there. */
export async function findRunningPostgres(
  stateDir: string,
): Promise<{ url: string; pid: number; port: number } | null> {
  const state = await readState(stateDir)
  if (!state) return null
  const running = await findPostmaster(state.dataDir)
  if (!running) return null
  return { ...running, url: toUrl(state.password, running.port) }
}

/** Reads PostgreSQL's own lock file: line 1 is the process id, line 4 the port, line 8 the status. */
export async function findPostmaster(dataDir: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!lines[7]?.startsWith('ready') || !Number.isInteger(pid) || !isAlive(pid)) return null
  return { pid, port }
}

export function toUrl(password: string, port: number): string {
  return `postgresql://corrigenda:${password}@127.0.0.1:${port}/corrigenda`
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
