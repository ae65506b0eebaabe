import type { Database } from '../db/open-database.ts'

/** Asks whoever works on the job, or will, to end it. The worker reads this at its heartbeat, the sweeper for jobs nobody works on. */
export async function requestCancel({ prisma }: Pick<Database, 'prisma'>, jobId: string): Promise<boolean> {
  const found = await prisma.run.updateMany({
    where: { jobId, active: true, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date() },
  })
  return found.count === 1
}
