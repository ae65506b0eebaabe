import { RepositoryTest, RepositoryTestStep } from '@corrigenda/contracts'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Returns a check with its steps so far.
 * @throws AppError `not_found`, including for another project's check
 */
export async function getConnectionCheck(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<RepositoryTest> {
  const row = await prisma.repositoryTest.findFirst({ where: { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return {
    id: row.id,
    status: RepositoryTest.shape.status.parse(row.status),
    ok: row.ok,
    steps: z.array(RepositoryTestStep).parse(row.steps),
    missing: row.missing,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
