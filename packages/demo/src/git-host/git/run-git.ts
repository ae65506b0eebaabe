import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'

/**
 * Builds the environment for every git process that the host runs. It excludes the local user's
 * configuration and adds the settings that a Git host needs. `safe.directory` allows every folder,
 * because the repositories may belong to another user, for example on a container volume.
 */
export function buildGitEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const all = Object.entries({ 'safe.directory': '*', 'core.quotePath': 'false', ...settings })
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: tmpdir(),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  }
}

/** Error for a git process with a non-zero exit code. `stderr` is git's error output. */
class GitError extends Error {
  override readonly name = 'GitError'
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string

  constructor(args: readonly string[], exitCode: number | null, stdout: string, stderr: string) {
    super(`git ${args[0] ?? ''} failed: ${stderr.trim() || `exit code ${exitCode}`}`)
    this.exitCode = exitCode
    this.stdout = stdout
    this.stderr = stderr
  }
}

interface GitRun {
  /** Bare repository. */
  readonly dir: string
  readonly args: readonly string[]
  readonly input?: string | Uint8Array
  readonly env?: Record<string, string>
}

/**
 * Runs git in a bare repository and returns its standard output as bytes. Throws GitError if git
 * fails.
 */
export async function runGitBytes({ dir, args, input = '', env }: GitRun): Promise<Buffer> {
  const { code, stdout, stderr, error } = await runGitProcess({
    args: ['--git-dir', dir, ...args],
    env: { ...buildGitEnvironment(), ...env },
    input: typeof input === 'string' ? Buffer.from(input) : input,
  })
  if (error !== null) throw new Error(error)
  if (code === 0) return Buffer.from(stdout)
  throw new GitError(args, code, Buffer.from(stdout).toString(), Buffer.from(stderr).toString())
}

/** Runs git and returns its standard output without the last newline. */
export async function runGit(dir: string, ...args: string[]): Promise<string> {
  return (await runGitBytes({ dir, args })).toString().replace(/\n$/, '')
}

/** Runs git like runGit, but returns null if git fails. Used for lookups, such as finding a ref. */
export async function findInGit(dir: string, ...args: string[]): Promise<string | null> {
  try {
    return await runGit(dir, ...args)
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}

/** Input of one git process. */
interface GitTask {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly input: Uint8Array
}

/** Result of one git process. `error` is set if it could not be started. */
interface GitEnd {
  readonly code: number | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly error: string | null
}

/**
 * Script that starts git processes and reports their results until its parent disconnects. It is
 * plain JavaScript, because `node --eval` runs it directly from this string.
 */
const SCRIPT = `
const { spawn } = require('node:child_process')
process.on('disconnect', () => process.exit())
process.on('SIGINT', () => {}) // handled by the parent process, which disconnects when it exits
process.on('message', ({ id, args, env, input }) => {
  const report = (end) => process.connected && process.send({ id, stdout: Buffer.concat(out), stderr: Buffer.concat(err), code: null, error: null, ...end })
  const out = []
  const err = []
  const child = spawn('git', args, { env })
  child.stdout.on('data', (chunk) => out.push(chunk))
  child.stderr.on('data', (chunk) => err.push(chunk))
  child.stdin.on('error', () => {}) // git may exit before it has read its input; the exit code reports the error
  child.on('error', (error) => report({ error: error.message }))
  child.on('close', (code) => report({ code }))
  child.stdin.end(input)
})
`

interface Starter {
  readonly child: ChildProcess
  readonly waiting: Map<number, { resolve(end: GitEnd): void; reject(error: Error): void }>
}

let starter: Starter | null = null
let newest = 0

/**
 * Runs git until it exits. One small helper process starts all git processes. A test process is
 * large, and copying its page tables for each of thousands of git processes costs more than the
 * processes themselves.
 * @throws Error if the helper process exits before git does
 */
function runGitProcess(task: GitTask): Promise<GitEnd> {
  const { child, waiting } = ensureStarter()
  newest += 1
  const id = newest
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    child.channel?.ref()
    child.send({ id, ...task })
  })
}

function ensureStarter(): Starter {
  if (starter !== null) return starter
  const child = spawn(process.execPath, ['--eval', SCRIPT], {
    // The helper outlives the caller's directory, which tests may delete.
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
  })
  const started: Starter = { child, waiting: new Map() }
  // The helper does not keep this process alive, and it exits with this process.
  child.unref()
  child.channel?.unref()
  child.on('message', ({ id, ...end }: GitEnd & { id: number }) => {
    started.waiting.get(id)?.resolve(end)
    started.waiting.delete(id)
    if (started.waiting.size === 0) child.channel?.unref()
  })
  const rejectAll = (error: Error) => {
    if (starter === started) starter = null
    for (const { reject } of started.waiting.values()) reject(error)
    started.waiting.clear()
  }
  child.on('error', rejectAll)
  child.on('disconnect', () => rejectAll(new Error('The process that starts git has exited.')))
  starter = started
  return started
}
