import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../db/open-database.ts'

export interface AccountDeps extends Pick<Database, 'prisma'> {
  /** Derived from the service's secret. All unguessable values for users are derived from it. */
  readonly authKey: Buffer
}

/**
 * Returns the token that the creation of the first account requires when the visitor is not on the
 * service's machine. It is derived from the secret and the database: every process prints the same
 * token, no token is stored, and a new database has a different token.
 */
export async function getSetupToken({ prisma, authKey }: AccountDeps): Promise<string> {
  const { createdAt } = await prisma.instance.findUniqueOrThrow({ where: { id: 1 } })
  return createHmac('sha256', authKey).update(`setup:${createdAt.toISOString()}`).digest('hex').slice(0, 32)
}

/** Compares in constant time. */
export async function isSetupToken(deps: AccountDeps, token: string): Promise<boolean> {
  const expected = Buffer.from(await getSetupToken(deps))
  const given = Buffer.from(token.trim())
  return given.length === expected.length && timingSafeEqual(given, expected)
}
