import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPath } from '@corrigenda/git/workspace'

/** A file passed to a program, with its repository-relative path. */
export interface ProgramFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export type ProgramAnswer =
  | { readonly kind: 'done'; readonly stdout: string; readonly code: number }
  /** Not found on this machine. */
  | { readonly kind: 'absent' }
  /** The run was aborted; `reason` is part of a sentence. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Runs a linter that is installed on this machine, in a folder that contains only these files. */
export type RunProgram = (input: {
  readonly program: 'cspell' | 'vale'
  readonly args: readonly string[]
  readonly files: readonly ProgramFile[]
}) => Promise<ProgramAnswer>

export interface ProgramLimits {
  /** Wall-clock time in milliseconds. Default: 60,000. */
  readonly maxMs: number
  /** Maximum size of the output in bytes. Default: 4 MiB. */
  readonly maxOutputBytes: number
  /** Resident memory in bytes, monitored on Linux. Default: 1 GiB. */
  readonly maxResidentBytes: number
}

const MiB = 1024 * 1024
const DEFAULT_LIMITS: ProgramLimits = { maxMs: 60_000, maxOutputBytes: 4 * MiB, maxResidentBytes: 1024 * MiB }
/**
 * URL of a proxy that does not exist. It blocks network requests on systems where the network
 * cannot be disabled.
 */
const NOWHERE = 'http://127.0.0.1:9'

/**
 * Builds a runner for linters that are installed on this machine. Each one runs within limits in a
 * temporary folder that contains only the given files. Its environment contains no credentials,
 * its home folder is empty, and the network is disabled where the system allows it.
 * @param folders folders to search for programs
 */
export function buildRunProgram(folders: readonly string[], given: Partial<ProgramLimits> = {}): RunProgram {
  const limits = { ...DEFAULT_LIMITS, ...given }
  let isolation: Promise<readonly string[]> | null = null
  return async ({ program, args, files }) => {
    const path = await findProgram(folders, program)
    if (path === null) return { kind: 'absent' }
    isolation ??= findIsolation(folders)
    const folder = await mkdtemp(join(tmpdir(), 'corrigenda-lint-'))
    try {
      const home = join(folder, 'home')
      const work = join(folder, 'work')
      await mkdir(home)
      await mkdir(work)
      await writeFiles(work, files)
      const env = {
        PATH: folders.join(':'),
        HOME: home,
        TMPDIR: home,
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        ...{ http_proxy: NOWHERE, https_proxy: NOWHERE, HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE },
      }
      const [command = path, ...rest] = [...(await isolation), path, ...args]
      return await watch(
        spawn(command, rest, { cwd: work, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] }),
        limits,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function writeFiles(folder: string, files: readonly ProgramFile[]): Promise<void> {
  for (const { path, bytes } of files) {
    checkPath(path)
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes)
  }
}

/** Monitors a program. Kills its process group when the program exits or exceeds a limit. */
async function watch(child: ChildProcess, limits: ProgramLimits): Promise<ProgramAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  let reason: string | null = null
  const kill = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process has already exited.
    }
  }
  const giveUp = (why: string) => {
    reason ??= why
    kill()
  }
  const clock = setTimeout(() => giveUp(`it took longer than ${limits.maxMs / 1000} s`), limits.maxMs)
  const scale = setInterval(async () => {
    const statm = child.pid === undefined ? '' : await readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => '')
    if (Number(statm.split(' ')[1] ?? 0) * 4096 > limits.maxResidentBytes) giveUp('it used too much memory')
  }, 50)
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limits.maxOutputBytes) giveUp('its output is too large')
    else chunks.push(chunk)
  })
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', (status) => resolve(status))
    })
    if (reason !== null) return { kind: 'failed', reason }
    if (code === null) return { kind: 'failed', reason: 'it exited unexpectedly' }
    return { kind: 'done', stdout: Buffer.concat(chunks).toString('utf8'), code }
  } finally {
    clearTimeout(clock)
    clearInterval(scale)
    kill()
  }
}

async function findProgram(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return null
}

/**
 * Returns a command prefix that runs a program without network access. Returns an empty list if the
 * system does not allow it.
 */
async function findIsolation(folders: readonly string[]): Promise<readonly string[]> {
  const path = await findProgram(folders, 'unshare')
  if (path === null) return []
  const command = [path, '--map-current-user', '--net', '--']
  const [first = path, ...rest] = [...command, 'true']
  const child = spawn(first, rest, { env: { PATH: folders.join(':') }, detached: true, stdio: 'ignore' })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (status) => resolve(status))
  })
  return code === 0 ? command : []
}
