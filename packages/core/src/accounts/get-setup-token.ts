import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../db/open-database.ts'

export interface PeopleDeps extends Pick<Database, 'prisma'> {
  /** Derived from the service's secret; everything about people that must not be guessed hangs on it. */
  readonly peopleKey: Buffer
}

/**
 * The token that the first account is made with where the service is not on the visitor's own machine. It follows from the secret and the
 * database, so every process prints the same one and none is stored; a fresh database has another.
 */
export async function getSetupToken({ prisma, peopleKey }: PeopleDeps): Promise<string> {
  const { createdAt } = await prisma.instance.findUniqueOrThrow({ where: { id: 1 } })
  return createHmac('sha256', peopleKey).update(`setup:${createdAt.toISOString()}`).digest('hex').slice(0, 32)
}

/** Compared in constant time. */
export async function isSetupToken(deps: PeopleDeps, token: string): Promise<boolean> {
  const expected = Buffer.from(await getSetupToken(deps))
  const given = Buffer.from(token.trim())
  return given.length === expected.length && timingSafeEqual(given, expected)
}
