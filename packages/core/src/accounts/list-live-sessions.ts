import type { Database } from '../db/open-database.ts'

/** A session and the project that it reads. */
export interface ProjectSession {
  readonly sessionId: string
  readonly projectId: string
}

/**
 * Returns the sessions that still have read access: they have not ended or expired, and they belong
 * to a project member or an admin. The set contains keys created by {@link toSessionKey}.
 */
export async function listLiveSessions(
  { prisma }: Pick<Database, 'prisma'>,
  sessions: readonly ProjectSession[],
  maxDays: number,
): Promise<ReadonlySet<string>> {
  const sessionIds = sessions.map((one) => one.sessionId)
  const projectIds = sessions.map((one) => one.projectId)
  const rows = await prisma.$queryRaw<{ session_id: string; project_id: string }[]>`
    SELECT wanted.session_id, wanted.project_id
    FROM unnest(${sessionIds}::text[], ${projectIds}::text[]) AS wanted (session_id, project_id)
    JOIN sessions ON sessions.id = wanted.session_id AND sessions.expires_at > now()
      AND sessions.created_at > now() - make_interval(days => ${maxDays}::int)
    JOIN users ON users.id = sessions.user_id
    LEFT JOIN memberships ON memberships.project_id = wanted.project_id AND memberships.user_id = users.id
    WHERE users.is_operator OR memberships.user_id IS NOT NULL`
  return new Set(rows.map((row) => toSessionKey({ sessionId: row.session_id, projectId: row.project_id })))
}

export const toSessionKey = ({ sessionId, projectId }: ProjectSession): string => `${sessionId} ${projectId}`
