import { Worker } from 'node:worker_threads'
import { GitHttpError } from '../http/git-http-error.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { buildMirror, fetchBlobs, fetchUpdate } from './build-mirror.ts'
import type { FetchAnswer, FetchTask } from './fetch-task.ts'
import { openMirrorVersion } from './mirror-version.ts'
import { stagePack } from './stage-pack.ts'

// The parent sends a single message, which contains the token. It is sent through a pipe, because
// other processes can read a process's arguments and environment.
process.once('message', async (task: FetchTask) => {
  const response = await run(task).then((pack) => ({ ok: true, pack }) as const, toFailure)
  process.send?.(response, () => process.exit(0))
})
process.once('disconnect', () => process.exit(1))
// While this thread parses an untrusted pack, it cannot detect that the parent process has exited,
// so a separate thread monitors the parent.
new Worker(new URL('./watch-parent.js', import.meta.url), { workerData: process.ppid }).unref()

async function run(task: FetchTask): Promise<string | null> {
  if (task.kind === 'build') {
    await buildMirror(task)
    return null
  }
  const { http, limits, staging } = task
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
