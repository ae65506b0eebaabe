import type { Database, Db, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { readOnlyIndexes, removeJobs, removeSomeRows } from '../job-record/remove-jobs.ts'

/** Number of jobs that one transaction removes. */
export const REMOVED_JOBS = 50
/** Deliveries take their attempts with them. */
const REMOVED_DELIVERIES = 200

/**
 * Removes one batch of rows of the project that was deleted first. Every worker may call it at any
 * time. Each statement is limited, so that other projects do not wait.
 * @returns false when nothing is left to remove, or other transactions have locked the rest
 */
export async function removeDeletedProjects({ prisma }: PrismaDeps): Promise<boolean> {
  const deleted = await prisma.project.findMany({
    where: { deletedAt: { not: null } },
    orderBy: { deletedAt: 'asc' },
    select: { id: true },
    take: 10,
  })
  for (const { id } of deleted) if (await removeBatch(prisma, id)) return true
  return false
}

async function removeBatch(prisma: Database['prisma'], projectId: string): Promise<boolean> {
  const isOfProject = Prisma.sql`project_id = ${projectId}`
  const endpoints = await prisma.webhookEndpoint.findMany({ where: { projectId }, select: { id: true } })
  const isOfEndpoint = Prisma.sql`endpoint_id = ANY (${endpoints.map(({ id }) => id)}::text[])`
  const steps: ((tx: Db) => Promise<number>)[] = [
    (tx) => removeSomeRows(tx, 'idempotency_keys', isOfProject),
    (tx) => removeSomeRows(tx, 'webhook_deliveries', isOfEndpoint, REMOVED_DELIVERIES),
    (tx) => removeSomeRows(tx, 'webhook_events', isOfProject),
    // Before the jobs, because the removal of a job updates its deployments.
    (tx) => removeSomeRows(tx, 'deployments', isOfProject),
    (tx) => removeSomeJobs(tx, projectId),
    (tx) => removeSomeRows(tx, 'repository_tests', isOfProject),
  ]
  for (const step of steps) {
    const removed = await prisma.$transaction(async (tx) => {
      await readOnlyIndexes(tx)
      return step(tx)
    })
    if (removed > 0) return true
  }
  // Only rows of small tables are left, unless a transaction has locked others.
  const { count } = await prisma.project.deleteMany({
    where: { id: projectId, deletedAt: { not: null }, jobs: { none: {} }, deployments: { none: {} } },
  })
  return count > 0
}

async function removeSomeJobs(tx: Db, projectId: string): Promise<number> {
  // The order makes Postgres read the index, whatever its statistics say.
  const jobs = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs WHERE project_id = ${projectId}
    ORDER BY created_at DESC, id DESC LIMIT ${REMOVED_JOBS} FOR UPDATE SKIP LOCKED`
  if (jobs.length > 0)
    await removeJobs(
      tx,
      jobs.map(({ id }) => id),
    )
  return jobs.length
}
