import type { JobModel } from '../generated/prisma/models/Job.ts'
import { countEvent } from './count-event.ts'

/** Counts what happened to a job's pull request. Call it after the transaction is committed. */
export function countPullRequest(
  before: Pick<JobModel, 'prUrl' | 'prState'>,
  { projectId, prUrl, prState }: Pick<JobModel, 'projectId' | 'prUrl' | 'prState'>,
): void {
  const isNew = before.prUrl !== prUrl
  if (prUrl === null || (!isNew && before.prState === prState)) return
  const name = 'corrigenda_pull_requests_total'
  if (isNew) countEvent(name, { projectId, event: 'opened' })
  else if (prState === 'open') countEvent(name, { projectId, event: 'reopened' })
  if (prState === 'merged' || prState === 'closed') countEvent(name, { projectId, event: prState })
}
