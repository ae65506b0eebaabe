import { tmpdir } from 'node:os'
import { runGitProcess } from './git-process.ts'

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
export class GitError extends Error {
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

export interface GitRun {
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
