import { Prisma } from '../generated/prisma/client.ts'

/**
 * Condition that a row's project is not deleted. The rows of a deleted project remain until the
 * workers have removed them.
 * @param table name or alias of a table with `project_id`; a constant, never user input
 */
export function inLiveProject(table: string): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (
    SELECT FROM projects AS p WHERE p.id = ${Prisma.raw(table)}.project_id AND p.deleted_at IS NOT NULL
  )`
}
