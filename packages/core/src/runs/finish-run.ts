import {
  type AgentJob,
  type CheckResult,
  type FailureCode,
  JobEvidence,
  type NewJobEvent,
  OUTCOME_STATUSES,
} from '@corrigenda/contracts'
import { z } from 'zod'
import { toStorable } from '../base/to-storable.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { type RunChanges, saveChanges } from '../job-record/save-changes.ts'
import { wakeForAnswers, watchPullRequest } from '../job-record/watch-pull-request.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import { countEndedRun, type EndedRun } from './count-ended-run.ts'
import { type Fence, RUNS } from './fence.ts'
import { FrozenPublish } from './freeze-run.ts'
import { recordSourceReads } from './source-reads.ts'
import { dropPendingMessages, listPendingMessages, startFollowUp } from './start-follow-up.ts'
import { toRunSources } from './start-run.ts'
import { closeRun } from './worked-time.ts'

/** Outcome of a run. Expected outcomes are values, while exceptions indicate bugs or outages. */
export type RunOutcome =
  | { readonly kind: 'changed'; readonly pullRequest: Omit<NonNullable<AgentJob['pullRequest']>, 'checks'> }
  | {
      readonly kind: 'no_changes' | 'needs_input'
      readonly summary: string
      readonly checks: readonly CheckResult[]
      /** With `no_changes`: as in `FrozenPublish`. */
      readonly sourcesShown?: readonly string[]
    }
  | {
      readonly kind: 'failed'
      readonly code: FailureCode
      readonly message: string
      readonly checks?: readonly CheckResult[]
      /** Changes so far, if they are not on a branch. */
      readonly changes?: RunChanges
    }
  | {
      readonly kind: 'cancelled'
      /** True if the pushed branch has been removed. */
      readonly branchRemoved?: boolean
    }

/**
 * Ends the run and its job in one transaction. Only the first caller succeeds.
 * @throws LostLeaseError
 */
export async function finishRun(deps: PrismaDeps, fence: Fence, outcome: RunOutcome): Promise<void> {
  const end = async (given: RunOutcome) =>
    countEndedRun(await writeFenced(deps, RUNS, fence, (tx) => endRun(tx, fence, given)))
  try {
    await end(outcome)
  } catch (error) {
    // The only constraint that can fail here requires a pull request to belong to only one job.
    if (outcome.kind !== 'changed' || (error as { code?: unknown }).code !== 'P2002') throw error
    const message = `The pull request ${outcome.pullRequest.url} already belongs to another job.`
    await end({ kind: 'failed', code: 'pull_request_conflict', message })
  }
}

/**
 * Performs the writes of {@link finishRun} for callers that have already locked the run's row, such
 * as the sweeper. The caller passes the result to `countEndedRun` after its transaction.
 */
export async function endRun(tx: Db, run: { runId: string; jobId: string }, asked: RunOutcome): Promise<EndedRun> {
  const outcome = toStorable(asked)
  const now = new Date()
  const ended = await closeRun(tx, run.runId, now)
  const { cancelRequestedAt } = ended
  const job = await tx.job.findUniqueOrThrow({
    where: { id: run.jobId },
    select: { headCommit: true, prUrl: true, prState: true, evidence: true },
  })
  const hasNoBranch = job.headCommit === null || (outcome.kind === 'cancelled' && outcome.branchRemoved === true)
  const evidence = outcome.kind === 'changed' ? { evidence: await toJobEvidence(tx, ended, job.evidence) } : {}
  const facts = {
    ...toFacts(outcome),
    ...evidence,
    workedMs: ended.jobWorkedMs,
    workingSince: null,
    updatedAt: now,
    ...(hasNoBranch ? { ref: null, headCommit: null } : {}),
  }
  if (outcome.kind === 'changed') await watchPullRequest(tx, run.jobId)
  else await wakeForAnswers(tx, run.jobId)
  if (outcome.kind === 'failed' && outcome.changes && job.headCommit === null) {
    await saveChanges(tx, { jobId: run.jobId, ...outcome.changes, headCommit: null })
  }
  if (outcome.kind === 'cancelled' || cancelRequestedAt !== null) {
    await dropPendingMessages(tx, run.jobId, { before: cancelRequestedAt, now })
  }
  if (outcome.kind === 'changed') await recordSourceReads(tx, ended, findShown(ended.frozen))
  if (outcome.kind === 'no_changes') await recordSourceReads(tx, ended, outcome.sourcesShown)
  const pending = await listPendingMessages(tx, run.jobId)
  if (pending.length > 0) {
    // The job continues with messages that arrived too late for this run and ends with its last
    // run.
    const continued = await tx.job.update({ where: { id: run.jobId }, data: facts })
    await appendEvent(tx, run.jobId, { type: 'run.ended', data: toEnding(outcome, job.prUrl).data })
    await startFollowUp(tx, run.jobId, pending)
    return { run: ended, jobBefore: job, job: continued }
  }
  const ending = toEnding(outcome, job.prUrl)
  const link = outcome.kind === 'changed' ? outcome.pullRequest.url : job.prUrl
  const endedJob = await tx.job.update({
    where: { id: run.jobId },
    data: {
      ...facts,
      ...toFailure(outcome),
      outcome: outcome.kind,
      phase: null,
      finishedAt: now,
      status: OUTCOME_STATUSES[outcome.kind],
      prLink: hasNoBranch ? null : link,
    },
  })
  await appendEvent(tx, run.jobId, ending)
  await publishJobEvent(tx, { jobId: run.jobId, type: ending.type })
  return { run: ended, jobBefore: job, job: endedJob }
}

/**
 * Returns a job's evidence after a run that changed files. The run's evidence for a page replaces
 * earlier evidence for the page. Evidence for pages that the pull request no longer changes is
 * removed, and so is evidence for a source that the run did not pin, which no reader can look up.
 * @param stored the job's evidence before
 */
async function toJobEvidence(
  tx: Db,
  run: { readonly jobId: string; readonly frozen: unknown; readonly sources: unknown },
  stored: unknown,
): Promise<JobEvidence[]> {
  const before = z.array(JobEvidence).parse(stored)
  const { evidence = [] } = run.frozen === null ? {} : FrozenPublish.parse(run.frozen)
  if (before.length === 0 && evidence.length === 0) return []
  const commits = new Map((toRunSources(run.sources) ?? []).map(({ name, commit }) => [name, commit]))
  const added = evidence.flatMap((item) => {
    const commit = commits.get(item.source)
    return commit === undefined ? [] : [{ ...item, commit }]
  })
  const replaced = new Set(added.map(({ page }) => page))
  const changed = await listChangedPaths(tx, run.jobId)
  return [...before.filter(({ page }) => !replaced.has(page)), ...added].filter(({ page }) => changed.has(page))
}

async function listChangedPaths(tx: Db, jobId: string): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ path: string }[]>`
    SELECT file ->> 'path' AS path FROM job_changes, jsonb_array_elements(files) file WHERE job_id = ${jobId}`
  return new Set(rows.map(({ path }) => path))
}

const findShown = (frozen: unknown) => (frozen === null ? undefined : FrozenPublish.parse(frozen).sourcesShown)

/** Returns the fields that a run sets on its job, even if the job continues. */
function toFacts(outcome: RunOutcome) {
  switch (outcome.kind) {
    case 'changed': {
      const { number, url, branch, state, draft } = outcome.pullRequest
      // Check results for an earlier commit do not apply to this one.
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

const CANCELLED = { code: 'cancelled', message: 'The job was cancelled.' } as const

function toFailure(outcome: RunOutcome) {
  if (outcome.kind !== 'failed' && outcome.kind !== 'cancelled') return {}
  const { code, message } = outcome.kind === 'failed' ? outcome : CANCELLED
  return { failureCode: code, failureMessage: message }
}

type Ending = Extract<NewJobEvent, { type: 'job.completed' | 'job.failed' }>

/** @param before link to the job's earlier pull request, kept unless a new one was opened */
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
