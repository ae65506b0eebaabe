import { AgentJob, AgentJobSource, CheckResult, JobEvidence, JobMetadata } from '@corrigenda/contracts'
import { z } from 'zod'
import type { AgentJobRow } from './agent-job-row.ts'

const Checks = z.array(CheckResult)
const Sources = z.array(AgentJobSource)
const EvidenceList = z.array(JobEvidence)
const Deployment = AgentJob.shape.deployment

/** Converts a row to its API representation. */
export function toAgentJob(row: AgentJobRow): AgentJob {
  return {
    id: row.id,
    status: row.status,
    source: { repository: row.repositoryUrl, ref: row.ref },
    model: row.model,
    prLink: row.prLink,
    createdAt: row.createdAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
    phase: row.phase,
    outcome: row.outcome,
    failure: row.failureCode === null ? null : { code: row.failureCode, message: row.failureMessage ?? '' },
    title: row.title,
    summary: row.summary,
    pullRequest: toPullRequest(row),
    deployment: Deployment.parse(row.deployment),
    checks: Checks.parse(row.checks),
    sources: Sources.parse(row.sources),
    evidence: EvidenceList.parse(row.evidence),
    usage: {
      inputTokens: row.inputTokens,
      outputTokens: row.outputTokens,
      cacheReadTokens: row.cacheReadTokens,
      cacheWriteTokens: row.cacheWriteTokens,
      costUsd: row.costUsd === null ? null : Number(row.costUsd),
      turns: row.turns,
    },
    metadata: JobMetadata.parse(row.metadata),
    retryOf: row.retryOf,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    workedMs: row.workedMs,
    // An earlier version of the API does not reset the column when it cancels a job.
    workingSince: (row.status === 'active' && row.workingSince?.toISOString()) || null,
    updatedAt: row.updatedAt.toISOString(),
    traceId: toTraceId(row.traceparent),
  }
}

/** Returns the trace id of a trace context: `<version>-<trace id>-<span id>-<flags>`. */
const toTraceId = (traceparent: string | null): string | null => traceparent?.split('-')[1] ?? null

function toPullRequest(row: AgentJobRow): AgentJob['pullRequest'] {
  if (row.prNumber === null || row.prUrl === null || row.prBranch === null || row.prState === null) return null
  return {
    number: row.prNumber,
    url: row.prUrl,
    branch: row.prBranch,
    state: row.prState,
    draft: row.prDraft ?? false,
    checks: row.prChecks,
  }
}
