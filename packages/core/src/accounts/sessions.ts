import type { AccountSession } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'

/** A signed-in user and their current session. */
export interface SignedInUser {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  /** Admins are owners of every project. */
  readonly isAdmin: boolean
  /** Time of the sign-in that started this session. */
  readonly signedInAt: Date
}

/**
 * Returns the user who owns a new session.
 * @param token the session's token in plain text
 * @throws when the session does not exist
 */
export async function getSessionUser({ prisma }: PrismaDeps, token: string): Promise<SignedInUser> {
  const { id, createdAt, user } = await prisma.session.findUniqueOrThrow({ where: { token }, include: { user: true } })
  const { name, email, isAdmin } = user
  return { sessionId: id, userId: user.id, name, email, isAdmin, signedInAt: createdAt }
}

/**
 * Minutes after a sign-in during which a user may perform irreversible actions or add a sign-in
 * method.
 */
const FRESH_MINUTES = 10

/** Returns the time until which a session counts as freshly signed in. */
export const toFreshUntil = ({ signedInAt }: Pick<SignedInUser, 'signedInAt'>): Date =>
  new Date(signedInAt.getTime() + FRESH_MINUTES * 60_000)

/**
 * Rejects sensitive changes in an old session, because a browser may have been left open.
 * https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#require-re-authentication-for-sensitive-features
 * @throws AppError `fresh_sign_in_required`
 */
export function refuseStaleSession(user: Pick<SignedInUser, 'signedInAt'>): void {
  if (toFreshUntil(user).getTime() > Date.now()) return
  throw new AppError(
    'fresh_sign_in_required',
    `This requires a sign-in within the last ${FRESH_MINUTES} minutes. Confirm your password or sign in again, then retry.`,
  )
}

/** Lists a user's active sessions, newest first. */
export async function listSessions(
  { prisma }: PrismaDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<AccountSession[]> {
  const rows = await prisma.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    omit: { token: true },
  })
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.updatedAt.toISOString(),
    address: row.ipAddress || null,
    userAgent: row.userAgent?.slice(0, 500) || null,
    current: row.id === sessionId,
  }))
}

/**
 * Ends one of a user's sessions. Its next request is rejected.
 * @throws AppError `not_found`, including for another user's session
 */
export async function endSession(
  { prisma, audit }: AuditedDeps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id, userId } })
    if (count === 0) throw notFound()
    await recordEnd(tx, audit, id)
  })
}

/** Ends all of a user's sessions except the given one. Idempotent. */
export async function endOtherSessions(
  { prisma, audit }: AuditedDeps,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const where = { userId, ...(sessionId !== null && { id: { not: sessionId } }) }
    const ended = await tx.session.findMany({ where, select: { id: true } })
    await tx.session.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } })
    for (const { id } of ended) await recordEnd(tx, audit, id)
  })
}

const recordEnd = (tx: Db, audit: AuditedDeps['audit'], id: string): Promise<void> =>
  recordAuditEvent(tx, audit, { action: 'session.ended', target: { type: 'session', id, name: null } })

/** Deletes a session that has expired or that a new session replaces. Idempotent. */
export async function dropSession({ prisma }: PrismaDeps, id: string): Promise<void> {
  await prisma.session.deleteMany({ where: { id } })
}

/** Maximum number of sessions per account. The oldest are deleted first. */
const MAX_SESSIONS = 50

/** Deletes a user's expired sessions and those beyond the maximum. */
export async function forgetOldSessions({ prisma }: PrismaDeps, { userId }: { userId: string }): Promise<void> {
  await prisma.$executeRaw`
    DELETE FROM sessions WHERE user_id = ${userId} AND (expires_at < now() OR id NOT IN (
      SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC LIMIT ${MAX_SESSIONS}))`
}

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
  { prisma }: PrismaDeps,
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
