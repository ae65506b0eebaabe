import { claimLook, isConnectionError } from '@corrigenda/core'
import { type FollowDeps, lookAtPullRequest } from './look-at-pull-request.ts'

/** Looks at the same time: a host that does not answer must not keep the others' pull requests waiting. */
const CONCURRENCY = 4

/** Looks at the pull requests that are due, a few at a time, every `seconds`, until stopped. */
export function startFollower(deps: FollowDeps & { seconds: number }): { stop(): Promise<void> } {
  const shutdown = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  const lookAtAll = async () => {
    while (!shutdown.signal.aborted) {
      const look = await claimLook(deps)
      if (look === null) break
      await lookAtPullRequest(deps, look, shutdown.signal)
    }
  }
  const work = async () => {
    try {
      await Promise.all(Array.from({ length: CONCURRENCY }, lookAtAll))
    } catch (error) {
      const away = isConnectionError(error)
      if (away) deps.log.warn({ database: 'away' }, 'pull requests were not looked at; the next round follows')
      else deps.log.error({ err: error }, 'pull requests were not looked at; the next round follows')
    }
    if (!shutdown.signal.aborted) schedule(deps.seconds * 1000)
  }
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      working = work()
    }, ms)
  }
  schedule(0)
  return {
    async stop() {
      shutdown.abort()
      clearTimeout(timer)
      await working
    },
  }
}
