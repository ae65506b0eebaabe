import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../db/open-database.ts'

export interface AccountDeps extends Pick<Database, 'prisma'> {
  /** Derived from the service secret for setup tokens, invitation hashes and similar values. */
  readonly authKey: Buffer
  /** Second key that invitation hashes may have been made with, during a rotation of the secret. */
  readonly otherAuthKey?: Buffer | null
}

/**
 * Returns the token that is required to create the first account from another machine. The token
 * is derived from the secret and the database, so it is not stored, every process prints the same
 * token, and a new database has a different one.
 */
export async function getSetupToken({ prisma, authKey }: AccountDeps): Promise<string> {
  const { createdAt } = await prisma.instance.findUniqueOrThrow({ where: { id: 1 } })
  return createHmac('sha256', authKey).update(`setup:${createdAt.toISOString()}`).digest('hex').slice(0, 32)
}

/** Returns true if the token is the setup token. Compares in constant time. */
export async function isSetupToken(deps: AccountDeps, token: string): Promise<boolean> {
  const expected = Buffer.from(await getSetupToken(deps))
  const given = Buffer.from(token.trim())
  return given.length === expected.length && timingSafeEqual(given, expected)
}
