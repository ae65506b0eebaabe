import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'

/** Maximum number of pull requests listed in the error message. */
const SHOWN = 5

/** A new job and the project settings that may cause it to be rejected. */
export interface Unwanted {
  readonly projectId: string
  readonly prompt: string
  /** Null for the repository's default branch. */
  readonly baseBranch: string | null
  readonly dedupe: boolean
  /** Null for no limit. */
  readonly maxOpenPullRequests: number | null
}

/** Error for a prompt that an active job is already working on. */
export class DuplicateJobError extends AppError {
  constructor(readonly jobId: string) {
    super(
      'duplicate_job',
      `The job ${jobId} is already working on the same prompt and base branch. Poll it, or create another job after it has ended. To run both, send {"dedupe": false}.`,
    )
  }
}

/**
 * Rejects a job that the project's policy does not currently allow. The check is exact only under
 * the quota lock, which every job creation in a project acquires.
 * @throws DuplicateJobError; AppError `too_many_pull_requests`
 */
export async function refuseUnwanted(tx: Db, job: Unwanted): Promise<void> {
  if (job.dedupe) await rejectDuplicate(tx, job)
  if (job.maxOpenPullRequests !== null) await rejectOverLimit(tx, job.projectId, job.maxOpenPullRequests)
}

/** Ignores follow-up runs, whose prompts differ from the job's first prompt. */
async function rejectDuplicate(tx: Db, { projectId, prompt, baseBranch }: Unwanted): Promise<void> {
  const [active] = await tx.$queryRaw<{ id: string }[]>`
    SELECT jobs.id FROM runs JOIN jobs ON jobs.id = runs.job_id
    WHERE runs.active AND runs.kind <> 'message' AND runs.project_id = ${projectId}
      AND jobs.base_branch IS NOT DISTINCT FROM ${baseBranch}
      AND regexp_replace(runs.prompt, '^\\s+|\\s+$', '', 'g') = regexp_replace(${prompt}::text, '^\\s+|\\s+$', '', 'g')
    ORDER BY jobs.id LIMIT 1`
  if (active) throw new DuplicateJobError(active.id)
}

/**
 * Counts active jobs without a pull request as open pull requests, because they may open one at any
 * time.
 */
async function rejectOverLimit(tx: Db, projectId: string, max: number): Promise<void> {
  // Each count has its own index, which the constants select, unlike Prisma's parameters.
  const [{ all, reserved }] = await tx.$queryRaw<[{ all: number; reserved: number }]>`
    SELECT (SELECT count(*)::int FROM jobs WHERE project_id = ${projectId} AND pr_state = 'open') AS all,
      (SELECT count(*)::int FROM jobs WHERE project_id = ${projectId} AND status = 'active' AND pr_url IS NULL) AS reserved`
  if (all + reserved < max) return
  const open = await tx.$queryRaw<{ pr_url: string }[]>`
    SELECT pr_url FROM jobs WHERE project_id = ${projectId} AND pr_state = 'open' ORDER BY id LIMIT ${SHOWN}`
  const urls = open.map(({ pr_url }) => pr_url)
  const more = all > urls.length ? ` and ${all - urls.length} more` : ''
  const parts = [
    ...(all > 0 ? [`${all} open (${urls.join(', ')}${more})`] : []),
    ...(reserved > 0 ? [`${reserved} reserved for active jobs`] : []),
  ]
  throw new AppError(
    'too_many_pull_requests',
    `This project has reached its limit of ${max} open pull request${max === 1 ? '' : 's'}: ${parts.join(' and ')}. Merge or close one, or wait for a job to end, then try again.`,
  )
}
