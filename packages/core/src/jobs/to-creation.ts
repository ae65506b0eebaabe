import { randomUUID } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { toStorable } from '../base/to-storable.ts'
import { describeSpent } from '../budgets/describe-spent-budget.ts'
import { toProjectSpend } from '../budgets/read-monthly-spend.ts'
import type { AgentJobRow } from '../job-record/agent-job-row.ts'
import { toAgentJob, toTraceId } from '../job-record/to-agent-job.ts'
import type { JobProject } from '../projects/job-project.ts'
import { refuseModel } from '../projects/refuse-model.ts'
import { hashRequest } from './find-stored-answer.ts'
import type { JobContent, JobWish } from './new-job.ts'
import { refuseUnknownSources } from './refuse-unknown-sources.ts'
import { refuseBranch, toAllowedBranches } from './to-allowed-branch.ts'

/** A request for a job, prepared for the SQL function `create_jobs`. */
export interface Creation {
  readonly wish: JobWish
  /** An element of the parameter `requests`. */
  readonly request: Readonly<Record<string, unknown>> & { readonly projectId: string; readonly runId?: string }
  /** The response as JSON text, divided at the times of creation, which the database sets. */
  readonly body: readonly string[]
  /** Why a new job is refused. A repeated request receives the stored response nevertheless. */
  readonly refusal: unknown
}

interface RequestKey {
  readonly key: string
  readonly hash: string
  readonly whileActive: boolean
}

/**
 * Prepares a request. Checks the rules that depend only on the request and on the project, the others
 * are checked in the database.
 * @param project null if the project does not exist
 * @throws AppError if a request without an idempotency key is refused
 */
export function toCreation(wish: JobWish, project: JobProject | null): Creation {
  const { projectId, repeatable } = wish
  const key: RequestKey | null = repeatable && {
    key: repeatable.key,
    hash: hashRequest(repeatable).toString('hex'),
    whileActive: repeatable.whileActive ?? false,
  }
  try {
    if (project === null) throw new AppError('not_found', 'Not found.')
    const { request, body } = toRequest(wish, project, key)
    return { wish, request, body, refusal: null }
  } catch (refusal) {
    if (key === null) throw refusal
    return { wish, request: { projectId, ...key, refused: true }, body: [], refusal }
  }
}

function toRequest(wish: JobWish, project: JobProject, key: RequestKey | null): Pick<Creation, 'request' | 'body'> {
  const { kind, createdBy, dedupe, adaptBranch = false, limits, traceparent = null } = wish
  const content = wish.toContent(project)
  const { policy, sources } = project.getSettings()
  const { branch } = content.options
  if (!adaptBranch) refuseBranch(branch, policy)
  refuseUnknownSources(content.options.sources, sources)
  refuseModel(content.model, limits.allowedModels)
  const spent = describeSpent(toProjectSpend(project.spend, limits.monthlyBudgetUsd ?? null))
  if (spent !== null) throw new AppError('monthly_budget_exceeded', spent)
  const { prompt, model, baseBranch, metadata, retryOf } = content
  const branches = adaptBranch && branch !== undefined ? toAllowedBranches(branch, policy) : null
  const now = project.now.getTime()
  const jobId = newId('job', now)
  const body = toBody({ id: jobId, repositoryUrl: project.repositoryUrl, content, traceparent })
  // One literal, because spreading objects of this size costs more than the rest of the function.
  const request = {
    projectId: project.id,
    kind,
    limit: limits.quota.limit,
    windowSeconds: limits.quota.windowSeconds,
    jobId,
    runId: newId('run', now),
    createdBy,
    repositoryUrl: project.repositoryUrl,
    prompt,
    model,
    baseBranch,
    options: content.options,
    metadata,
    traceparent,
    retryOf,
    act: toAct(wish, jobId),
    after: retryOf === null ? null : { retryOf },
    dedupe: dedupe ?? policy.dedupe,
    maxOpenPullRequests: policy.maxOpenPullRequests,
    adapts: branches !== null,
    branch: branches?.name,
    otherBranch: branches?.other,
    body: key === null && !project.hasEndpoints ? undefined : body,
    key: key?.key,
    hash: key?.hash,
    whileActive: key?.whileActive,
  }
  return { request, body }
}

function toAct({ kind, projectId, limits: { audit } }: JobWish, jobId: string) {
  const { actor, ipAddress, requestId } = toStorable(audit)
  const action = kind === 'retry' ? 'job.retried' : 'job.created'
  return {
    id: newId('aud'),
    action,
    actor,
    ipAddress,
    requestId,
    projectId,
    target: { type: 'job', id: jobId, name: null },
  }
}

/** Stand for the values of a new job. Requests cannot contain them, because they are random. */
const PLACE = {
  id: randomUUID(),
  repositoryUrl: randomUUID(),
  model: randomUUID(),
  metadata: randomUUID(),
  retryOf: randomUUID(),
  traceId: randomUUID(),
  time: randomUUID(),
}

/** The columns of a new row, as the database fills them in. */
const NEW_JOB: AgentJobRow = {
  ...{
    id: PLACE.id,
    repositoryUrl: PLACE.repositoryUrl,
    model: PLACE.model,
    retryOf: PLACE.retryOf,
    traceparent: null,
  },
  ...{ metadata: { [PLACE.metadata]: '' } },
  ...{ status: 'active', phase: 'queued', outcome: null, failureCode: null, failureMessage: null, ref: null },
  ...{ title: null, summary: null, checks: [], sources: [], evidence: [], deployment: null, prLink: null },
  ...{ prNumber: null, prUrl: null, prBranch: null, prState: null, prDraft: null, prChecks: null },
  ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 0 },
  ...{ startedAt: null, finishedAt: null, workedMs: 0, workingSince: null, archivedAt: null },
  ...{ createdAt: new Date(0), updatedAt: new Date(0) },
}

/**
 * The record of a new job as JSON text, divided at the times of creation. Each part consists of texts
 * with the names of values between them. Most values are the same for all new jobs, so that the
 * record is serialized once.
 */
const { traceId, time } = PLACE
const NEW_RECORD = JSON.stringify({ ...toAgentJob(NEW_JOB), traceId, createdAt: time, updatedAt: time })
  .split(time)
  .map((part) =>
    part
      .replace(`{"${PLACE.metadata}":""}`, '\nmetadata\n')
      .replace(/"([0-9a-f-]{36})"/g, (_, place) => `\n${toName(place)}\n`)
      .split('\n'),
  )

function toName(place: string): string {
  const [name] = Object.entries(PLACE).find(([, known]) => known === place) ?? []
  if (name === undefined) throw new Error('The record of a new job has an unknown value.')
  return name
}

function toBody(input: {
  id: string
  repositoryUrl: string
  content: JobContent
  traceparent: string | null
}): string[] {
  const { id, repositoryUrl, content, traceparent } = input
  const { model, metadata, retryOf } = content
  const values: Readonly<Record<string, unknown>> = {
    ...{ id, repositoryUrl, model, metadata, retryOf },
    traceId: toTraceId(traceparent),
  }
  return NEW_RECORD.map((texts) => texts.map((text, n) => (n % 2 === 0 ? text : JSON.stringify(values[text]))).join(''))
}
