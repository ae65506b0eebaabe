import { createHash, randomBytes } from 'node:crypto'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Database } from '../db/open-database.ts'

const MINUTES = 60

/** A registration in progress. */
export interface AppRegistration {
  /** Login of the organization that will own the App, or null if the user will own it. */
  readonly organization: string | null
}

interface Holder {
  /** The user who started the registration. No other user can continue it, even with its link. */
  readonly userId: string
}

/**
 * Starts an App registration. Returns its `state`, which can be used once, within an hour, and only
 * by this user.
 */
export async function beginAppRegistration(
  { prisma, audit }: AuditedDeps,
  { userId, organization }: Holder & AppRegistration,
): Promise<string> {
  const state = randomBytes(32).toString('base64url')
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`DELETE FROM github_app_states WHERE expires_at < clock_timestamp() OR user_id = ${userId}`
    await tx.$executeRaw`
      INSERT INTO github_app_states (state_hash, user_id, organization, expires_at)
      VALUES (${toHash(state)}, ${userId}, ${organization}, clock_timestamp() + make_interval(mins => ${MINUTES}::int))`
    await recordAuditEvent(tx, audit, { action: 'github_app.registration_started', after: { organization } })
  })
  return state
}

/** Returns this user's registration in progress, or null. */
export async function findAppRegistration(
  { prisma }: Pick<Database, 'prisma'>,
  { state, userId }: Holder & { state: string },
): Promise<AppRegistration | null> {
  const [found] = await prisma.$queryRaw<AppRegistration[]>`
    SELECT organization FROM github_app_states
    WHERE state_hash = ${toHash(state)} AND user_id = ${userId} AND expires_at >= clock_timestamp()`
  return found ?? null
}

/** Ends a registration. Returns true only once and only for the user who started it. */
export async function takeAppRegistration(
  { prisma }: Pick<Database, 'prisma'>,
  { state, userId }: Holder & { state: string },
): Promise<boolean> {
  const taken = await prisma.$executeRaw`
    DELETE FROM github_app_states
    WHERE state_hash = ${toHash(state)} AND user_id = ${userId} AND expires_at >= clock_timestamp()`
  return taken === 1
}

const toHash = (state: string): Buffer => createHash('sha256').update(state).digest()
