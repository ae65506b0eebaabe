import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { GitHttpError, type GitHttpErrorCode } from '../http/git-http-error.ts'
import { RepositoryError, type RepositoryErrorCode } from '../objects/repository-error.ts'
import type { FetchAnswer, FetchTask } from './fetch-task.ts'

export interface ForkLimits {
  /**
   * Maximum resident memory of the child, in bytes. The parent polls the child's memory usage (on
   * Linux only), because the child cannot respond while it inflates a large object. Default: 2 GiB.
   */
  readonly maxResidentBytes: number
  /** Maximum wall-clock time of the child, in milliseconds. Default: 120,000. */
  readonly maxBuildMs: number
}

interface ForkInput {
  readonly task: FetchTask
  /** URL of a compiled module that calls `serveFetch`. */
  readonly module: URL
  /** See {@link MirrorOptions.childData}. */
  readonly data: unknown
  /**
   * Environment variables for the child, for example for extra certificate authorities. The child
   * does not inherit any other variables.
   */
  readonly env: Readonly<Record<string, string>>
  readonly limits: ForkLimits
  /** The child is killed when any of these signals aborts. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/**
 * Downloads in a separate process, because a pack requires several times its size in memory and may
 * be a decompression bomb. Kills the child if it exceeds its memory or time limit, or if a signal
 * aborts. Returns only after the child has exited. The caller removes the directory named in the
 * task.
 * @returns the name of the staged pack, or null for an initial download
 * @throws {GitHttpError}
 * @throws {RepositoryError} the child's error, or `too_large` or `build_failed` if the child was
 *   killed or crashed
 */
export async function forkFetch(input: ForkInput): Promise<string | null> {
  const { limits } = input
  const signals = input.signals.filter((signal) => signal !== undefined)
  if (signals.some((signal) => signal.aborted)) throw aborted()
  const { signal: _inParent, agents: _agents, remotes: _remotes, ...http } = input.task.http
  const child = fork(input.module, [], {
    env: { ...input.env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let reason: Error | null = null
  const kill = (error: Error) => {
    reason ??= error
    child.kill('SIGKILL')
  }
  const onAbort = () => kill(aborted())
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true })
  const clock = setTimeout(
    () => kill(new RepositoryError('too_large', `The repository could not be copied within ${limits.maxBuildMs} ms.`)),
    limits.maxBuildMs,
  )
  const scale = setInterval(async () => {
    const resident = child.pid === undefined ? 0 : await readResidentBytes(child.pid)
    if (resident > limits.maxResidentBytes) {
      kill(new RepositoryError('too_large', 'Copying the repository requires more memory than this service allows.'))
    }
  }, 50)
  try {
    const response = await new Promise<FetchAnswer | null>((resolve, reject) => {
      let received: FetchAnswer | null = null
      child.once('message', (message: FetchAnswer) => {
        received = message
      })
      child.once('error', reject)
      // The exit event may precede the last message, so wait until the process has exited and the
      // channel is closed.
      const ends = [once(child, 'exit'), once(child, 'disconnect')]
      Promise.all(ends).then(() => resolve(received), reject)
      child.send({ task: { ...input.task, http }, data: input.data })
    })
    if (reason) throw reason
    if (!response)
      throw new RepositoryError('build_failed', 'The process that copies the repository exited unexpectedly.')
    if (!response.ok) throw toError(response)
    return response.pack
  } finally {
    clearTimeout(clock)
    clearInterval(scale)
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
  }
}

/** Returns a process's resident memory in bytes, or zero on systems without `/proc`. */
async function readResidentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(statm.split(' ')[1] ?? 0) * 4096
}

function toError(response: Extract<FetchAnswer, { ok: false }>): Error {
  if (response.kind === 'http') {
    return new GitHttpError(response.code as GitHttpErrorCode, response.message, {
      ...(response.status === null ? {} : { status: response.status }),
      ...(response.retryAfterMs === null ? {} : { retryAfterMs: response.retryAfterMs }),
    })
  }
  return new RepositoryError(response.code as RepositoryErrorCode, response.message)
}

function aborted(): GitHttpError {
  return new GitHttpError('aborted', 'Copying the repository was aborted.')
}
