import type { Database } from '../db/open-database.ts'

/** Forgets a worker that ends in good order. May be repeated. */
export async function removeWorker({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.worker.deleteMany({ where: { id } })
}
