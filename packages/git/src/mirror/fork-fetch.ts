import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { GitHttpError, type GitHttpErrorCode } from '../http/git-http-error.ts'
import { RepositoryError, type RepositoryErrorCode } from '../objects/repository-error.ts'
import type { FetchAnswer, FetchTask } from './fetch-task.ts'

export interface ForkLimits {
  /**
   * Maximum resident bytes of the child. The parent polls them (Linux), because the child cannot
   * respond during a long inflate. Default 2 GiB.
   */
  readonly maxResidentBytes: number
  /** Maximum wall-clock time of the child, in milliseconds. Default 120,000. */
  readonly maxBuildMs: number
}

export interface ForkInput {
  readonly task: FetchTask
  /** URL of the compiled `fetch-child.js`. */
  readonly module: URL
  /**
   * Environment of the child, for example extra certificate authorities. The child inherits no
   * other variables.
   */
  readonly env: Readonly<Record<string, string>>
  readonly limits: ForkLimits
  /** An abort of any of these signals kills the child. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/**
 * Downloads in a separate process, because a pack needs a multiple of its size in memory and may be
 * a decompression bomb. Kills the child when it uses too much memory or time, or when a signal
 * aborts. The child has exited when this function returns. The caller removes the directory that
 * the task names.
 * @returns name of the staged pack; null for a first download
 * @throws {GitHttpError}
 * @throws {RepositoryError} the error of the child; `too_large` or `build_failed` when it was
 * killed or crashed
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
      kill(new RepositoryError('too_large', 'The repository needs more memory than the limit of this service.'))
    }
  }, 50)
  try {
    const response = await new Promise<FetchAnswer | null>((resolve, reject) => {
      let received: FetchAnswer | null = null
      child.once('message', (message: FetchAnswer) => {
        received = message
      })
      child.once('error', reject)
      // The exit event may precede the last message. Waits until the process has exited
      // and the channel is closed.
      const ends = [once(child, 'exit'), once(child, 'disconnect')]
      Promise.all(ends).then(() => resolve(received), reject)
      child.send({ ...input.task, http })
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

/** Returns the resident memory of a process in bytes; zero on systems without `/proc`. */
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
  return new GitHttpError('aborted', 'The copy of the repository was aborted.')
}
