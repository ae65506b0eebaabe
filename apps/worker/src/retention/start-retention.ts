import type { Database } from '@corrigenda/core/db'
import { mergeSearchIndex } from '@corrigenda/core/jobs'
import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { type RetentionPeriods, removeDeletedProjects, removeExpired } from '@corrigenda/core/retention'
import type { Log } from '@corrigenda/core/runtime'

interface RetentionDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  readonly shutdown: AbortSignal
  /** Interval between two polls that found nothing to remove. */
  readonly seconds: number
  readonly retention: RetentionPeriods
}

/** Interval between merges of the search index. */
const MERGE_MS = 30_000

/**
 * Removes the rows of deleted projects and data whose retention period has passed, one batch at a
 * time, and merges the search index, until stopped.
 */
export function startRetention(deps: RetentionDeps): Pick<Polling, 'stop'> {
  const { log, shutdown, seconds, retention } = deps
  const removeBatch = async () => (await removeDeletedProjects(deps)) || removeExpired(deps, retention)
  const loops = [
    pollUntilStopped(
      { log },
      {
        name: 'retention',
        everyMs: seconds * 1000,
        shutdown,
        // A finished work item triggers the next poll.
        poll: async () => ((await removeBatch()) ? [Promise.resolve()] : []),
      },
    ),
    pollUntilStopped(
      { log },
      { name: 'search index', everyMs: MERGE_MS, shutdown, poll: () => mergeSearchIndex(deps) },
    ),
  ]
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}
