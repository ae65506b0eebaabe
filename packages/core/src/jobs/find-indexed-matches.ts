import type { Database } from '../db/open-database.ts'
import { toSqlState } from '../db/to-sql-state.ts'

/** Maximum number of matches. More matches are found faster in the newest jobs. */
const MAX_MATCHES = 1_000
const STATEMENT_TIMEOUT = '57014'
/** The index contains sequences of three letters or digits. In some locales, only of ASCII ones. */
const INDEXED = /[a-z0-9]{3}/i

/** Converts a text to a pattern for ILIKE. The text is literal, without wildcards. */
export const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Returns the ids of all jobs of a project whose title, summary or prompts contain a text, ignoring
 * case. Returns null if they cannot be found with the index: if the text is too short, frequent, or
 * consists of frequent parts, or if the database has no index.
 * @param input.limitMs maximum duration of the statement
 */
export async function findIndexedMatches(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, text, limitMs }: { projectId: string; text: string; limitMs: number },
): Promise<string[] | null> {
  const timeout = Math.floor(limitMs)
  // A timeout of 0 would be no timeout.
  if (!INDEXED.test(text) || timeout <= 0) return null
  const pattern = toPattern(text)
  try {
    return await prisma.$transaction(async (tx) => {
      // Otherwise, Postgres may search for a frequent text in all jobs of the project, or of all
      // projects. The search index supports only bitmaps.
      const [{ exists }] = await tx.$queryRaw<[{ exists: boolean }]>`
        SELECT to_regclass('runs_by_text') IS NOT NULL AS exists, set_config('enable_seqscan', 'off', true),
          set_config('enable_indexscan', 'off', true), set_config('statement_timeout', ${String(timeout)}, true)`
      if (!exists) return null
      // The index does not contain active runs, of which there are few.
      const found = await tx.$queryRaw<{ id: string }[]>`
        (SELECT id FROM jobs WHERE project_id = ${projectId} AND (title ILIKE ${pattern} OR summary ILIKE ${pattern})
          LIMIT ${MAX_MATCHES})
        UNION ALL
        (SELECT job_id FROM runs WHERE project_id = ${projectId} AND NOT active AND prompt ILIKE ${pattern}
          LIMIT ${MAX_MATCHES})
        UNION ALL
        (SELECT job_id FROM runs WHERE project_id = ${projectId} AND active AND prompt ILIKE ${pattern}
          LIMIT ${MAX_MATCHES})`
      return found.length < MAX_MATCHES ? [...new Set(found.map(({ id }) => id))] : null
    })
  } catch (error) {
    if (toSqlState(error) === STATEMENT_TIMEOUT) return null
    throw error
  }
}
