import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { BuildInput } from './build-mirror.ts'
import type { BuildAnswer } from './build-mirror-child.ts'
import { GitHttpError, type GitHttpErrorCode } from './git-http-error.ts'
import { RepositoryError, type RepositoryErrorCode } from './repository-error.ts'

export interface ForkLimits {
  /** Resident bytes of the child. Watched from outside (Linux), because a stuck inflate answers to nobody. */
  readonly maxResidentBytes: number
  readonly maxBuildMs: number
}

export interface ForkInput {
  readonly build: BuildInput
  /** The compiled `build-mirror-child.js`. */
  readonly module: URL
  /** Environment of the child, for example extra certificate authorities. Nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly limits: ForkLimits
  readonly signal: AbortSignal | undefined
}

/**
 * Run {@link buildMirror} in a process of its own: a first download takes a multiple of the pack in memory and may meet a bomb.
 * The child is killed when it grows or lasts too long, or when the signal says so.
 * @throws {GitHttpError} @throws {RepositoryError} what the child threw; `too_large` or `build_failed` when it was killed or died
 */
export async function forkMirrorBuild(input: ForkInput): Promise<void> {
  const { signal, limits } = input
  if (signal?.aborted) throw aborted()
  const { signal: _inParent, agents: _agents, remotes: _remotes, ...http } = input.build.http
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
  signal?.addEventListener('abort', onAbort, { once: true })
  const clock = setTimeout(
    () => kill(new RepositoryError('too_large', `The repository could not be copied within ${limits.maxBuildMs} ms.`)),
    limits.maxBuildMs,
  )
  const scale = setInterval(async () => {
    const resident = child.pid === undefined ? 0 : await readResidentBytes(child.pid)
    if (resident > limits.maxResidentBytes) {
      kill(new RepositoryError('too_large', 'The repository needs more memory than this service grants.'))
    }
  }, 100)
  try {
    const answer = await new Promise<BuildAnswer | null>((resolve, reject) => {
      let said: BuildAnswer | null = null
      child.once('message', (message: BuildAnswer) => {
        said = message
      })
      child.once('error', reject)
      child.once('exit', () => resolve(said))
      child.send({ ...input.build, http })
    })
    if (reason) throw reason
    if (!answer) throw new RepositoryError('build_failed', 'The process that copies the repository ended unexpectedly.')
    if (!answer.ok) throw toError(answer)
  } finally {
    clearTimeout(clock)
    clearInterval(scale)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Zero where the system does not tell. */
async function readResidentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(statm.split(' ')[1] ?? 0) * 4096
}

function toError(answer: Extract<BuildAnswer, { ok: false }>): Error {
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
