import type { CheckResult, Usage } from '@corrigenda/contracts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { countEvent } from '../metrics/count-event.ts'
import { countPullRequest } from '../metrics/count-pull-request.ts'
import type { ClosedRun } from './worked-time.ts'

export interface EndedRun {
  readonly run: ClosedRun
  readonly jobBefore: Pick<JobModel, 'prUrl' | 'prState'>
  /** The job after the run. It is active if it continues with a follow-up. */
  readonly job: JobModel
}

/** Adds a run and the end of its job to the metrics. Call it after the transaction is committed. */
export function countEndedRun({ run, jobBefore, job }: EndedRun): void {
  const { projectId, attempt, releases, failures } = run
  const { model } = job
  countEvent('corrigenda_runs_ended_total', { projectId, kind: run.kind })
  countEvent('corrigenda_run_attempts_total', { projectId, value: attempt })
  // A claim that ended neither with the run nor with a release was lost, and another worker took over.
  countEvent('corrigenda_run_recoveries_total', { projectId, value: attempt - releases - failures - 1 })
  countEvent('corrigenda_run_releases_total', { projectId, reason: 'shutdown_or_wait', value: releases })
  countEvent('corrigenda_run_releases_total', { projectId, reason: 'error', value: failures })
  countEvent('corrigenda_run_worked_seconds_total', { projectId, value: run.workedMs / 1000 })
  const before = run.usageBefore as Partial<Usage>
  countEvent('corrigenda_model_turns_total', { projectId, model, value: job.turns - (before.turns ?? 0) })
  const tokens = {
    input: job.inputTokens - (before.inputTokens ?? 0),
    output: job.outputTokens - (before.outputTokens ?? 0),
    cache_read: job.cacheReadTokens - (before.cacheReadTokens ?? 0),
    cache_write: job.cacheWriteTokens - (before.cacheWriteTokens ?? 0),
  }
  for (const [type, value] of Object.entries(tokens)) {
    countEvent('corrigenda_model_tokens_total', { projectId, model, type, value })
  }
  countEvent('corrigenda_model_cost_dollars_total', { projectId, model, value: run.costUsd })
  countPullRequest(jobBefore, job)
  if (job.outcome === null || job.status === 'active') return
  countEvent('corrigenda_jobs_ended_total', { projectId, outcome: job.outcome, code: job.failureCode ?? '' })
  for (const { name, status } of job.checks as unknown as CheckResult[]) {
    countEvent('corrigenda_checks_total', { projectId, check: name, status })
  }
}
