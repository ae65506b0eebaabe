import type { Database } from '@corrigenda/core/db'
import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { removeDeletedProjects } from '@corrigenda/core/retention'
import type { Log } from '@corrigenda/core/runtime'

export interface RetentionDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  readonly shutdown: AbortSignal
  /** Interval between two polls that found nothing to remove. */
  readonly seconds: number
}

/** Removes the rows of deleted projects in batches, one batch at a time, until stopped. */
export function startRetention(deps: RetentionDeps): Polling {
  const { log, shutdown, seconds } = deps
  return pollUntilStopped(
    { log },
    {
      ...{ name: 'deleted projects', everyMs: seconds * 1000, shutdown },
      // A finished work item triggers the next poll.
      poll: async () => ((await removeDeletedProjects(deps)) ? [Promise.resolve()] : []),
    },
  )
}
