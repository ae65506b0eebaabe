import type { ErrorCode } from '@corrigenda/contracts'

/** Errors of every request that creates a job. */
export const CREATION_ERRORS = [
  'idempotency_mismatch',
  'idempotency_in_flight',
  'duplicate_job',
  'too_many_pull_requests',
  'monthly_budget_exceeded',
  'quota_exceeded',
] as const satisfies readonly ErrorCode[]
