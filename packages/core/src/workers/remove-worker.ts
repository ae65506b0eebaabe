import type { Database } from '../db/open-database.ts'

/** Removes a worker that shuts down normally. Idempotent. */
export async function removeWorker({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.worker.deleteMany({ where: { id } })
}
