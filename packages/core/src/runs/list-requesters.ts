import type { PrismaDeps } from '../db/open-database.ts'
import type { Fence } from './fence.ts'

/** A user who asked for a change in the dashboard. */
export interface Requester {
  readonly name: string
  readonly email: string
  /** The linked GitHub account, if its login is known. */
  readonly github: { readonly id: string; readonly login: string } | null
}

/** Maximum number of requesters of one run. */
const MAX_REQUESTERS = 10

/**
 * Lists the users who asked for a run's change, in the order of their requests: the senders of the
 * messages that the run received and, for the first commit on the branch, the user who created the
 * job. API keys, deleted users and the demo account are omitted.
 * @param input.isFirstCommit true if no earlier run of the job has pushed a commit
 */
export async function listRequesters(
  { prisma }: PrismaDeps,
  input: { readonly run: Fence; readonly isFirstCommit: boolean },
): Promise<Requester[]> {
  const { run, isFirstCommit } = input
  const rows = await prisma.$queryRaw<
    { name: string; email: string; account_id: string | null; login: string | null }[]
  >`
    WITH requests AS (
      SELECT created_by, created_at FROM jobs WHERE id = ${run.jobId} AND ${isFirstCommit}
      UNION ALL
      SELECT created_by, created_at FROM job_messages
      WHERE job_id = ${run.jobId} AND (run_id = ${run.runId} OR (${isFirstCommit} AND run_id IS NOT NULL))
    ), askers AS (
      SELECT created_by, min(created_at) AS at FROM requests WHERE created_by IS NOT NULL GROUP BY created_by
    )
    SELECT users.name, users.email, accounts.account_id, accounts.login FROM askers
    JOIN users ON users.id = askers.created_by AND NOT users.is_demo
    LEFT JOIN accounts ON accounts.user_id = users.id AND accounts.provider_id = 'github'
    ORDER BY askers.at, users.id LIMIT ${MAX_REQUESTERS}`
  return rows.map(({ name, email, account_id: id, login }) => ({
    name,
    email,
    github: id !== null && login !== null ? { id, login } : null,
  }))
}
