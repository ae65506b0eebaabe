import { AppError } from '../base/errors.ts'
import type { Db } from './open-database.ts'

/**
 * Locks a project's row until the transaction ends, to serialize counting and inserting.
 * @throws AppError `not_found`, also if the project is deleted
 */
export async function lockProject(tx: Pick<Db, '$queryRaw'>, projectId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR NO KEY UPDATE`
  if (rows.length === 0) throw new AppError('not_found', 'Not found.')
}
