import { findCommitId } from '../git/refs.ts'
import { HttpError } from '../host/exchange.ts'
import type { Repository } from '../host/host-state.ts'
import type { CommitStatus } from '../host/types.ts'
import { ok, type RestRoutes, takePage, withPermission } from './route.ts'

/** Routes that return the newest check run of each name and the newest status of each context. */
export const checkRoutes = {
  'checks.listForRef': withPermission(['checks:read'], async ({ repository, params, query }) => {
    const sha = await getCommitId(repository, params.ref)
    const runs = newestOf(repository.record.checkRuns, sha, (run) => run.name)
    const shown = takePage(query, runs).map(({ name, status, conclusion = null }) => ({ name, status, conclusion }))
    return ok({ total_count: runs.length, check_runs: shown })
  }),
  'repos.getCombinedStatusForRef': withPermission(['statuses:read'], async ({ repository, params }) => {
    const sha = await getCommitId(repository, params.ref)
    const statuses = newestOf(repository.record.statuses, sha, (status) => status.context)
    const shown = statuses.map(({ state, context }) => ({ state, context }))
    return ok({ state: combine(statuses), sha, total_count: statuses.length, statuses: shown })
  }),
} satisfies RestRoutes

async function getCommitId({ dir }: Repository, ref: unknown): Promise<string> {
  const sha = await findCommitId(dir, String(ref))
  if (!sha) throw new HttpError(422, `No commit found for SHA: ${ref}`)
  return sha
}

function newestOf<T extends { sha: string }>(items: readonly T[], sha: string, key: (item: T) => string): T[] {
  const ofCommit = items.filter((item) => item.sha === sha)
  return [...new Map(ofCommit.map((item) => [key(item), item])).values()]
}

/**
 * Combines statuses by GitHub's rule: `failure` if any status failed, or else `pending` if any
 * status is pending or the commit has no statuses.
 */
function combine(statuses: readonly CommitStatus[]): string {
  if (statuses.some(({ state }) => state === 'error' || state === 'failure')) return 'failure'
  return statuses.length === 0 || statuses.some(({ state }) => state === 'pending') ? 'pending' : 'success'
}
