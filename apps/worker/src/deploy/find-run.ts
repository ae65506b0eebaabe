import type { WorkflowRun } from '../git-host/workflows.ts'
import { isPassing, waitToPoll } from './wait-to-poll.ts'

/**
 * Finds the run that a dispatch started, within `findRunMs`. The host might not identify the run,
 * so only runs that did not exist before the dispatch are considered. Prefers a run with the
 * deployment id in its title, then a run for the commit, then the oldest run. Returns null if no
 * run appears.
 * @throws GitHostError when the host rejects the request to list runs
 */
export async function findRun(
  deps: { limits: { pollMs: number; maxPollMs: number; findRunMs: number }; signal: AbortSignal },
  input: {
    listRuns: () => Promise<readonly WorkflowRun[]>
    seenRuns: readonly number[]
    statusId: string
    sha: string
  },
): Promise<WorkflowRun | null> {
  const until = performance.now() + deps.limits.findRunMs
  for (let asked = 0; ; asked += 1) {
    const runs = await input.listRuns().catch((error: unknown) => {
      if (!isPassing(error)) throw error
      return []
    })
    const found = pickRun(runs, input)
    if (found) return found
    if (performance.now() >= until) return null
    await waitToPoll(deps.limits, asked, deps.signal)
  }
}

export function pickRun(
  runs: readonly WorkflowRun[],
  { seenRuns, statusId, sha }: { seenRuns: readonly number[]; statusId: string; sha: string },
): WorkflowRun | null {
  const fresh = runs.filter((run) => !seenRuns.includes(run.id)).sort((a, b) => a.id - b.id)
  return (
    fresh.find((run) => run.title.includes(statusId)) ?? fresh.find((run) => run.headSha === sha) ?? fresh[0] ?? null
  )
}
