import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { GitHttpError, type GitHttpErrorCode } from '../http/git-http-error.ts'
import { RepositoryError, type RepositoryErrorCode } from '../objects/repository-error.ts'
import type { FetchAnswer, FetchTask } from './fetch-task.ts'

export interface ForkLimits {
  /** Resident bytes of the child. Watched from outside (Linux), because a stuck inflate answers to nobody. Default 2 GiB. */
  readonly maxResidentBytes: number
  /** Wall-clock time of the child, in milliseconds. Default 120,000. */
  readonly maxBuildMs: number
}

export interface ForkInput {
  readonly task: FetchTask
  /** The compiled `fetch-child.js`. */
  readonly module: URL
  /** Environment of the child, for example extra certificate authorities. Nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly limits: ForkLimits
  /** Any of them ends the child. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/**
 * Download in a process of its own: a pack takes a multiple of itself in memory, and may be a bomb. The child is killed when it grows or
 * lasts too long, or when a signal says so; it has ended when this returns. The caller removes the directory that the task names.
 * @returns name of the pack that was staged; null for a first download
 * @throws {GitHttpError} @throws {RepositoryError} what the child threw; `too_large` or `build_failed` when it was killed or died
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
      kill(new RepositoryError('too_large', 'The repository needs more memory than this service grants.'))
    }
  }, 50)
  try {
    const answer = await new Promise<FetchAnswer | null>((resolve, reject) => {
      let said: FetchAnswer | null = null
      child.once('message', (message: FetchAnswer) => {
        said = message
      })
      child.once('error', reject)
      // Its end may be told before its last word: both the process and the channel must have ended.
      const ends = [once(child, 'exit'), once(child, 'disconnect')]
      Promise.all(ends).then(() => resolve(said), reject)
      child.send({ ...input.task, http })
    })
    if (reason) throw reason
    if (!answer) throw new RepositoryError('build_failed', 'The process that copies the repository ended unexpectedly.')
    if (!answer.ok) throw toError(answer)
    return answer.pack
  } finally {
    clearTimeout(clock)
    clearInterval(scale)
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
  }
}

/** Zero where the system does not tell. */
async function readResidentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(statm.split(' ')[1] ?? 0) * 4096
}

function toError(answer: Extract<FetchAnswer, { ok: false }>): Error {
  if (answer.kind === 'http') {
    return new GitHttpError(answer.code as GitHttpErrorCode, answer.message, {
      ...(answer.status === null ? {} : { status: answer.status }),
      ...(answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }),
    })
  }
  return new RepositoryError(answer.code as RepositoryErrorCode, answer.message)
}

function aborted(): GitHttpError {
  return new GitHttpError('aborted', 'The copy of the repository was stopped.')
}
