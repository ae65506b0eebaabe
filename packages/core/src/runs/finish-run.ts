import type { AgentJob, CheckResult } from '@corrigenda/contracts'
import type { Database, Db } from '../db/open-database.ts'
import { toStorable } from '../to-storable.ts'
import { appendEvent, type Fence, writeFenced } from './fence.ts'

/** How a run ended. Expected endings are values; exceptions mean bugs or outages. */
export type RunOutcome =
  | { readonly kind: 'changed'; readonly pullRequest: NonNullable<AgentJob['pullRequest']> }
  | { readonly kind: 'no_changes' | 'needs_input'; readonly summary: string; readonly checks: readonly CheckResult[] }
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly checks?: readonly CheckResult[]
    }
  | {
      readonly kind: 'cancelled'
      /** The branch that was pushed before is gone again. */
      readonly branchRemoved?: boolean
    }

/**
 * Ends the run and its job in one update. A second finisher loses.
 * @throws LostLeaseError
 */
export async function finishRun(deps: Pick<Database, 'prisma'>, fence: Fence, outcome: RunOutcome): Promise<void> {
  try {
    await writeFenced(deps, fence, (tx) => endRun(tx, fence, outcome))
  } catch (error) {
    // The one thing the database may refuse about an ending: a pull request belongs to one job.
    if (outcome.kind !== 'changed' || (error as { code?: unknown }).code !== 'P2002') throw error
    const message = `The pull request ${outcome.pullRequest.url} belongs to another job already.`
    await writeFenced(deps, fence, (tx) =>
      endRun(tx, fence, { kind: 'failed', code: 'pull_request_conflict', message }),
    )
  }
}

/** The writes of {@link finishRun}, for callers that hold the run's row already (the sweeper). */
export async function endRun(tx: Db, run: { runId: string; jobId: string }, ending: RunOutcome): Promise<void> {
  const outcome = toStorable(ending)
  const now = new Date()
  await tx.run.update({
    where: { id: run.runId },
    data: { active: false, endedAt: now, leaseUntil: null, leaseOwner: null },
  })
  const { headCommit } = await tx.job.findUniqueOrThrow({ where: { id: run.jobId }, select: { headCommit: true } })
  const hasNoBranch = headCommit === null || (outcome.kind === 'cancelled' && outcome.branchRemoved === true)
  const branch = hasNoBranch ? { ref: null, headCommit: null } : {}
  const common = { phase: null, finishedAt: now, updatedAt: now, ...branch }
  switch (outcome.kind) {
    case 'changed': {
      const { number, url, branch, state, draft } = outcome.pullRequest
      const pr = { prLink: url, prUrl: url, prNumber: number, prBranch: branch, prState: state, prDraft: draft }
      await tx.job.update({
        where: { id: run.jobId },
        data: { ...common, ...pr, status: 'completed', outcome: 'changed' },
      })
      await appendEvent(tx, run.jobId, 'job.completed', { outcome: 'changed', prLink: url })
      return
    }
    case 'no_changes':
    case 'needs_input': {
      const { kind, summary, checks } = outcome
      await tx.job.update({
        where: { id: run.jobId },
        data: { ...common, status: 'completed', outcome: kind, summary, checks: [...checks] },
      })
      await appendEvent(tx, run.jobId, 'job.completed', { outcome: kind, prLink: null })
      return
    }
    case 'failed':
    case 'cancelled': {
      const cancelled = { code: 'cancelled', message: 'The job was cancelled.' }
      const { code, message } = outcome.kind === 'failed' ? outcome : cancelled
      const checks = outcome.kind === 'failed' && outcome.checks ? { checks: [...outcome.checks] } : {}
      await tx.job.update({
        where: { id: run.jobId },
        data: {
          ...common,
          ...checks,
          status: 'failed',
          outcome: outcome.kind,
          failureCode: code,
          failureMessage: message,
        },
      })
      await appendEvent(tx, run.jobId, 'job.failed', { outcome: outcome.kind, code })
    }
  }
}
