import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { queryPrepared } from '../db/query-prepared.ts'
import { IDEMPOTENCY_HOURS } from '../job-record/idempotency.ts'
import type { QuotaState } from './count-quota.ts'
import { QuotaError } from './count-quota.ts'
import { type AcceptedJob, toReplay } from './created-job.ts'
import { toKeyError } from './find-stored-answer.ts'
import { toBranchError } from './to-allowed-branch.ts'
import type { Creation } from './to-creation.ts'
import { DuplicateJobError, toPullRequestLimitError } from './unwanted-job.ts'

const SELECT = 'SELECT outcome, facts FROM create_jobs($1, $2, $3) ORDER BY place'

/** How the database decided a request. Described at the SQL function. */
type Row =
  | { outcome: 'created'; facts: { at: string; remaining: number; resetSeconds: number } }
  | { outcome: 'replayed'; facts: { answer: string } }
  | { outcome: 'used_up'; facts: { resetSeconds: number } }
  | { outcome: 'duplicate'; facts: { jobId: string } }
  | { outcome: 'too_many_pull_requests'; facts: { open: number; reserved: number; urls: string[] } }
  | { outcome: 'in_flight' | 'mismatch' | 'refused' | 'busy' | 'not_found' | 'branch_used'; facts: null }

/** The accepted job, the reason of the refusal, or `busy` if the request must be decided with `mayWait`. */
export type Decision = { readonly accepted: AcceptedJob } | { readonly refusal: unknown } | 'busy'

/**
 * Decides requests in one transaction: inserts the accepted jobs with their first run, first event,
 * audit event, webhook events and stored response. The rules are in the SQL function `create_jobs`.
 * @param creations those of one project must be neighbours
 * @param mayWait waits for other creations in the project; only for requests of one project
 */
export async function createJobs(
  { pool }: Pick<Database, 'pool'>,
  creations: readonly Creation[],
  { mayWait }: { mayWait: boolean },
): Promise<Decision[]> {
  // An endpoint can be newer than the facts that its project was known by.
  const requests = JSON.stringify(creations.map(({ request, body }) => (mayWait ? { ...request, body } : request)))
  const rows = await queryPrepared<Row>(pool, SELECT, [requests, IDEMPOTENCY_HOURS, mayWait])
  return creations.map((creation, n) => toDecision(creation, rows[n]))
}

function toDecision(creation: Creation, row: Row | undefined): Decision {
  const { wish, body, refusal } = creation
  const toQuota = (remaining: number, resetSeconds: number): QuotaState => ({
    ...wish.limits.quota,
    ...{ kind: wish.kind, remaining, resetSeconds },
  })
  switch (row?.outcome) {
    case 'created': {
      const { at, remaining, resetSeconds } = row.facts
      const quota = toQuota(remaining, resetSeconds)
      return { accepted: { body: body.join(at), replayed: false, quota, runId: creation.request.runId ?? null } }
    }
    case 'replayed':
      return { accepted: toReplay(row.facts.answer) }
    case 'in_flight':
    case 'mismatch':
      return { refusal: toKeyError(row.outcome) }
    case 'refused':
      return { refusal }
    case 'busy':
      return 'busy'
    case 'not_found':
      return { refusal: new AppError('not_found', 'Not found.') }
    case 'used_up':
      return { refusal: new QuotaError(toQuota(0, row.facts.resetSeconds)) }
    case 'duplicate':
      return { refusal: new DuplicateJobError(row.facts.jobId) }
    case 'too_many_pull_requests':
      return { refusal: toPullRequestLimitError({ ...row.facts, max: Number(creation.request.maxOpenPullRequests) }) }
    case 'branch_used':
      return { refusal: toBranchError() }
    default:
      return { refusal: new Error('The database did not decide the request.') }
  }
}
