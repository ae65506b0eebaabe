import { Worker } from 'node:worker_threads'
import { GitHttpError } from '../http/git-http-error.ts'
import type { GitAgents } from '../http/send-request.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { buildMirror, fetchBlobs, fetchUpdate } from './build-mirror.ts'
import type { FetchAnswer, FetchMessage, FetchTask } from './fetch-task.ts'
import { openMirrorVersion } from './mirror-version.ts'
import { stagePack } from './stage-pack.ts'

/**
 * Carries out the one task of a child process that {@link openMirrors} starts, and ends the process.
 * @param toAgents builds the agents of the child from `childData`. Default: direct connections
 */
export function serveFetch(toAgents: (data: unknown) => GitAgents | undefined = () => undefined): void {
  // The parent sends a single message, which contains the token. It is sent through a pipe, because
  // other processes can read a process's arguments and environment.
  process.once('message', async ({ task, data }: FetchMessage) => {
    const response = await run(task, toAgents(data)).then((pack) => ({ ok: true, pack }) as const, toFailure)
    process.send?.(response, () => process.exit(0))
  })
  process.once('disconnect', () => process.exit(1))
  // While this thread parses an untrusted pack, it cannot detect that the parent process has exited,
  // so a separate thread monitors the parent.
  new Worker(new URL('./watch-parent.js', import.meta.url), { workerData: process.ppid }).unref()
}

async function run(task: FetchTask, agents: GitAgents | undefined): Promise<string | null> {
  const http = { ...task.http, agents }
  if (task.kind === 'build') {
    await buildMirror({ ...task, http })
    return null
  }
  const { limits, staging } = task
  const fetched =
    task.kind === 'blobs'
      ? await fetchBlobs(http, task.wants, limits.pack)
      : await fetchUpdate(await openMirrorVersion(task.version), { http, tip: task.tip, limits })
  return (await stagePack(fetched, staging)).name
}

function toFailure(error: unknown): FetchAnswer {
  const none = { status: null, retryAfterMs: null }
  if (error instanceof GitHttpError) {
    const { code, message, status, retryAfterMs } = error
    return { ok: false, kind: 'http', code, message, status, retryAfterMs }
  }
  if (error instanceof RepositoryError) {
    return { ok: false, kind: 'repository', code: error.code, message: error.message, ...none }
  }
  return { ok: false, kind: 'other', code: 'build_failed', message: 'The repository could not be copied.', ...none }
}
