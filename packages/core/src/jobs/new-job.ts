import type { JobMetadata, JobOptions } from '@corrigenda/contracts'
import type { AuditContext } from '../audit/audit-context.ts'
import type { JobProject } from '../projects/job-project.ts'
import type { QuotaKind, QuotaLimit } from './count-quota.ts'
import type { RepeatableRequest } from './find-stored-answer.ts'

/** Content of a new job. */
export interface JobContent {
  readonly prompt: string
  readonly model: string
  /** Base branch, or null for the repository's default branch. */
  readonly baseBranch: string | null
  readonly options: JobOptions
  readonly metadata: JobMetadata
  readonly retryOf: string | null
}

/** A request for a new job. */
export interface JobWish {
  readonly projectId: string
  /** The quota that the job counts against. */
  readonly kind: Extract<QuotaKind, 'create' | 'retry'>
  /** Id of the user or key that creates the job. */
  readonly createdBy: string | null
  /** Null if the request has no idempotency key. */
  readonly repeatable: RepeatableRequest | null
  /** True to reject a duplicate of an active job; undefined to use the project's setting. */
  readonly dedupe?: boolean | undefined
  /** Changes the requested branch name to one that the project allows, instead of rejecting it. */
  readonly adaptBranch?: boolean
  readonly limits: JobLimits
  /** Trace context for the job's runs. Null or omitted: the request is not traced. */
  readonly traceparent?: string | null
  /** Returns the content for the project's current settings, or throws the reason of a refusal. */
  readonly toContent: (project: JobProject) => JobContent
}

/** Limits of the service, and who creates the job. */
export interface JobLimits {
  readonly audit: AuditContext
  readonly quota: QuotaLimit
  readonly monthlyBudgetUsd?: number | null
  /** Models that jobs may use. Null or omitted: every model. */
  readonly allowedModels?: readonly string[] | null
}
