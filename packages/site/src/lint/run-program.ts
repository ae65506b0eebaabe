import { type ChildProcess, spawn } from 'node:child_process'
import { lchown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findIsolation, findProgram, type Isolation, toIdentity } from './find-isolation.ts'

/** A file passed to a program, with its repository-relative path. */
export interface ProgramFile {
  readonly path: string
  readonly bytes: Uint8Array
}

type ProgramAnswer =
  | { readonly kind: 'done'; readonly stdout: string; readonly code: number }
  /** Not found on this machine. */
  | { readonly kind: 'absent' }
  /** The run was aborted; `reason` is part of a sentence. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not started, because it could read this process's credentials; `reason` is part of a sentence. */
  | { readonly kind: 'unsafe'; readonly reason: string }

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
  /** Resident memory of all its processes in bytes, monitored on Linux. Default: 1 GiB. */
  readonly maxResidentBytes: number
}

const MiB = 1024 * 1024
const DEFAULT_LIMITS: ProgramLimits = { maxMs: 60_000, maxOutputBytes: 4 * MiB, maxResidentBytes: 1024 * MiB }
const UNSAFE = "this system lets it read the worker's credentials; see docs/checks.md"
/**
 * URL of a proxy that does not exist. It blocks network requests on systems where the network
 * cannot be disabled.
 */
const NOWHERE = 'http://127.0.0.1:9'

/**
 * Builds a runner for linters that are installed on this machine. Each one runs within limits in a
 * temporary folder that contains only the given files. Its environment contains no credentials,
 * its home folder is empty, and the network is disabled where the system allows it. It does not run
 * if it could read the environment of this process.
 * @param folders folders to search for programs
 * @param isolate returns the isolation; changed only in tests
 */
export function buildRunProgram(
  folders: readonly string[],
  given: Partial<ProgramLimits> = {},
  isolate: (folders: readonly string[]) => Promise<Isolation | null> = findIsolation,
): RunProgram {
  const limits = { ...DEFAULT_LIMITS, ...given }
  let found: Promise<Isolation | null> | null = null
  return async ({ program, args, files }) => {
    const path = await findProgram(folders, program)
    if (path === null) return { kind: 'absent' }
    found ??= isolate(folders)
    const isolation = await found
    if (isolation === null) return { kind: 'unsafe', reason: UNSAFE }
    const folder = await mkdtemp(join(tmpdir(), 'corrigenda-lint-'))
    try {
      const home = join(folder, 'home')
      const work = join(folder, 'work')
      await mkdir(home)
      await mkdir(work)
      await writeFiles(work, files)
      if (isolation.user !== null) await giveTo(folder, isolation.user)
      const env = {
        PATH: folders.join(':'),
        HOME: home,
        TMPDIR: home,
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        http_proxy: NOWHERE,
        https_proxy: NOWHERE,
        HTTP_PROXY: NOWHERE,
        HTTPS_PROXY: NOWHERE,
      }
      const [command = path, ...rest] = [...isolation.prefix, path, ...args]
      return await watch(
        spawn(command, rest, {
          ...toIdentity(isolation),
          cwd: work,
          env,
          detached: true,
          stdio: ['ignore', 'pipe', 'ignore'],
        }),
        limits,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function writeFiles(folder: string, files: readonly ProgramFile[]): Promise<void> {
  for (const { path, bytes } of files) {
    const target = join(folder, path)
    // The path comes from a repository.
    if (!target.startsWith(`${folder}/`)) throw new Error(`The path ${JSON.stringify(path)} leaves the folder.`)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes)
  }
}

/** Makes a user the owner of a folder and everything in it. */
async function giveTo(folder: string, user: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true })
  for (const entry of ['', ...entries]) await lchown(join(folder, entry), user, user)
}

/** Returns the resident memory of a process and its descendants in bytes; 0 where it is unknown. */
async function measureResident(pid: number): Promise<number> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const pages = Number((await read('statm')).split(' ')[1] ?? 0)
  const children = (await read(`task/${pid}/children`)).split(' ').filter(Boolean).map(Number)
  const sizes = await Promise.all(children.map(measureResident))
  return sizes.reduce((sum, size) => sum + size, pages * 4096)
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
    const size = child.pid === undefined ? 0 : await measureResident(child.pid)
    if (size > limits.maxResidentBytes) giveUp('it used too much memory')
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
