import type { AgentJob } from '@corrigenda/contracts'
import { loadWorkerConfig } from '@corrigenda/worker'
import { readPullRequestDiff } from '@corrigenda/worker/parts'
import type { Serving } from '../services/serve.ts'

/** Returns the pull request's unified diff, or null if it is unavailable. */
export async function findDiff(serving: Serving, job: AgentJob): Promise<string | null> {
  if (!job.pullRequest || !job.prLink) return null
  try {
    if (serving.demoHost) return await (await fetch(`${job.prLink}.diff`)).text()
    return await readPullRequestDiff(loadWorkerConfig(serving.env), job.source.repository, job.pullRequest.number)
  } catch {
    return null
  }
}
