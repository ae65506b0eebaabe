import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../github/github-error.ts'

/** A run of a workflow, as far as it matters here. */
export interface WorkflowRun {
  readonly id: number
  readonly headBranch: string | null
  readonly headSha: string
  readonly title: string
  /** `queued`, `in_progress`, `completed` and others: GitHub adds to them. */
  readonly status: string | null
  readonly conclusion: string | null
  readonly url: string
}

export function toWorkflowRun(run: {
  id: number
  head_branch: string | null
  head_sha: string
  display_title: string
  status: string | null
  conclusion: string | null
  html_url: string
}): WorkflowRun {
  return {
    id: run.id,
    headBranch: run.head_branch,
    headSha: run.head_sha,
    title: run.display_title,
    status: run.status,
    conclusion: run.conclusion,
    url: run.html_url,
  }
}

/** Whether asking again may help: the host is away, slow or asks for patience. */
export function isPassing(error: unknown): boolean {
  return error instanceof GitHubError && (error.isOutcomeUnknown || error.code === 'rate_limited')
}

/** Sleeps between two questions: a little longer each time, up to a most. */
export async function waitToPoll(
  limits: { pollMs: number; maxPollMs: number },
  asked: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(Math.min(limits.maxPollMs, limits.pollMs * (1 + asked * 0.4)), undefined, { signal })
}
