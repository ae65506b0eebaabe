import type { Database } from '../db/open-database.ts'

/** Deletes the record of a worker that is shutting down normally. Idempotent. */
export async function removeWorker({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.worker.deleteMany({ where: { id } })
}
