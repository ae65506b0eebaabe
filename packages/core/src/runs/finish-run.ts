import type { AgentJob, CheckResult, FileChange, NewJobEvent } from '@corrigenda/contracts'
import { toStorable } from '../base/to-storable.ts'
import type { Database, Db } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { saveChanges } from '../job-record/save-changes.ts'
import { watchPullRequest } from '../job-record/watch-pull-request.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import { type Fence, RUNS } from './fence.ts'
import { dropPendingMessages, listPendingMessages, startFollowUp } from './start-follow-up.ts'

/** How a run ended. Expected endings are values; exceptions mean bugs or outages. */
export type RunOutcome =
  | { readonly kind: 'changed'; readonly pullRequest: Omit<NonNullable<AgentJob['pullRequest']>, 'checks'> }
  | { readonly kind: 'no_changes' | 'needs_input'; readonly summary: string; readonly checks: readonly CheckResult[] }
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly checks?: readonly CheckResult[]
      /** The work so far, when there was some and no branch has it. */
      readonly changes?: { readonly baseCommit: string; readonly files: readonly FileChange[] }
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
    await writeFenced(deps, RUNS, fence, (tx) => endRun(tx, fence, outcome))
  } catch (error) {
    // The one thing the database may refuse about an ending: a pull request belongs to one job.
    if (outcome.kind !== 'changed' || (error as { code?: unknown }).code !== 'P2002') throw error
    const message = `The pull request ${outcome.pullRequest.url} belongs to another job already.`
    await writeFenced(deps, RUNS, fence, (tx) =>
      endRun(tx, fence, { kind: 'failed', code: 'pull_request_conflict', message }),
    )
  }
}

/** The writes of {@link finishRun}, for callers that hold the run's row already (the sweeper). */
export async function endRun(tx: Db, run: { runId: string; jobId: string }, asked: RunOutcome): Promise<void> {
  const outcome = toStorable(asked)
  const now = new Date()
  const { cancelRequestedAt } = await tx.run.update({
    where: { id: run.runId },
    data: { active: false, endedAt: now, leaseUntil: null, leaseOwner: null },
  })
  const job = await tx.job.findUniqueOrThrow({ where: { id: run.jobId }, select: { headCommit: true, prUrl: true } })
  const hasNoBranch = job.headCommit === null || (outcome.kind === 'cancelled' && outcome.branchRemoved === true)
  const facts = { ...toFacts(outcome), updatedAt: now, ...(hasNoBranch ? { ref: null, headCommit: null } : {}) }
  if (outcome.kind === 'changed') await watchPullRequest(tx, run.jobId)
  if (outcome.kind === 'failed' && outcome.changes && job.headCommit === null) {
    await saveChanges(tx, { jobId: run.jobId, ...outcome.changes, headCommit: null })
  }
  if (outcome.kind === 'cancelled' || cancelRequestedAt !== null) {
    await dropPendingMessages(tx, run.jobId, { before: cancelRequestedAt, now })
  }
  const pending = await listPendingMessages(tx, run.jobId)
  if (pending.length > 0) {
    // Callers wait for one end, the last: the job goes on with what was said too late for this run.
    await tx.job.update({ where: { id: run.jobId }, data: facts })
    await appendEvent(tx, run.jobId, { type: 'run.ended', data: toEnding(outcome, job.prUrl).data })
    await startFollowUp(tx, run.jobId, pending)
    return
  }
  const ending = toEnding(outcome, job.prUrl)
  const link = outcome.kind === 'changed' ? outcome.pullRequest.url : job.prUrl
  await tx.job.update({
    where: { id: run.jobId },
    data: {
      ...facts,
      ...toFailure(outcome),
      ...{ outcome: outcome.kind, phase: null, finishedAt: now },
      status: ending.type === 'job.failed' ? 'failed' : 'completed',
      prLink: hasNoBranch ? null : link,
    },
  })
  await appendEvent(tx, run.jobId, ending)
  await publishJobEvent(tx, { jobId: run.jobId, type: ending.type })
}

/** What a run leaves on its job, whether or not the job ends with it. */
function toFacts(outcome: RunOutcome) {
  switch (outcome.kind) {
    case 'changed': {
      const { number, url, branch, state, draft } = outcome.pullRequest
      // What the checks said of an earlier commit does not count for this one.
      return { prUrl: url, prNumber: number, prBranch: branch, prState: state, prDraft: draft, prChecks: null }
    }
    case 'no_changes':
    case 'needs_input':
      return { summary: outcome.summary, checks: [...outcome.checks] }
    case 'failed':
      return outcome.checks ? { checks: [...outcome.checks] } : {}
    case 'cancelled':
      return {}
  }
}

const CANCELLED = { code: 'cancelled', message: 'The job was cancelled.' }

function toFailure(outcome: RunOutcome) {
  if (outcome.kind !== 'failed' && outcome.kind !== 'cancelled') return {}
  const { code, message } = outcome.kind === 'failed' ? outcome : CANCELLED
  return { failureCode: code, failureMessage: message }
}

type Ending = Extract<NewJobEvent, { type: 'job.completed' | 'job.failed' }>

/** @param before link of the job's earlier pull request, which stays unless there is a new one */
function toEnding(outcome: RunOutcome, before: string | null): Ending {
  switch (outcome.kind) {
    case 'changed':
      return { type: 'job.completed', data: { outcome: 'changed', prLink: outcome.pullRequest.url } }
    case 'no_changes':
    case 'needs_input':
      return { type: 'job.completed', data: { outcome: outcome.kind, prLink: before } }
    case 'failed':
      return { type: 'job.failed', data: { outcome: 'failed', code: outcome.code } }
    case 'cancelled':
      return { type: 'job.failed', data: { outcome: 'cancelled', code: CANCELLED.code } }
  }
}
