import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { claimPullRequestPoll } from '@corrigenda/core/pull-requests'
import { pollPullRequest, type TrackingDeps } from './poll-pull-request.ts'

/**
 * Maximum number of concurrent polls, so that an unresponsive host does not delay pull requests on
 * other hosts.
 */
const SLOTS = 4

/** Polls due pull requests until stopped. Stopping aborts the polls in progress. */
export function startPullRequestPolls(deps: TrackingDeps & { seconds: number }): Polling {
  const shutdown = new AbortController()
  const loop = pollUntilStopped(deps, {
    ...{ name: 'pull requests', everyMs: deps.seconds * 1000, slots: SLOTS },
    async poll() {
      const claimed = await claimPullRequestPoll(deps)
      return claimed === null ? [] : [pollPullRequest(deps, claimed, shutdown.signal)]
    },
  })
  return {
    wake: loop.wake,
    stop() {
      shutdown.abort()
      return loop.stop()
    },
  }
}
