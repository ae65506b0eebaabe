import { createHash, randomBytes } from 'node:crypto'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { PrismaDeps } from '../db/open-database.ts'

const MINUTES = 60

/** A registration in progress. */
interface AppRegistration {
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
    await tx.githubAppState.deleteMany({ where: { OR: [{ userId }, { expiresAt: { lt: new Date() } }] } })
    const expiresAt = new Date(Date.now() + MINUTES * 60_000)
    await tx.githubAppState.create({ data: { stateHash: toHash(state), userId, organization, expiresAt } })
    await recordAuditEvent(tx, audit, { action: 'github_app.registration_started', after: { organization } })
  })
  return state
}

/** Returns this user's registration in progress, or null. */
export async function findAppRegistration(
  { prisma }: PrismaDeps,
  { state, userId }: Holder & { state: string },
): Promise<AppRegistration | null> {
  return prisma.githubAppState.findUnique({
    where: { stateHash: toHash(state), userId, expiresAt: { gte: new Date() } },
    select: { organization: true },
  })
}

/** Ends a registration. Returns true only once and only for the user who started it. */
export async function takeAppRegistration(
  { prisma }: PrismaDeps,
  { state, userId }: Holder & { state: string },
): Promise<boolean> {
  const { count } = await prisma.githubAppState.deleteMany({
    where: { stateHash: toHash(state), userId, expiresAt: { gte: new Date() } },
  })
  return count === 1
}

const toHash = (state: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(state).digest())
