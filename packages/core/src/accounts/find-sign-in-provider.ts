import type { Database } from '../db/open-database.ts'

/**
 * Returns the provider with which a sign-in was started.
 * @param state the OAuth `state` parameter
 * @returns null when the state is unknown; undefined when it names no provider
 */
export async function findSignInProvider(
  { prisma }: Pick<Database, 'prisma'>,
  state: string,
): Promise<string | undefined | null> {
  const row = await prisma.verification.findFirst({ where: { identifier: `auth-state:${state}` } })
  return row && (JSON.parse(row.value) as { provider?: string }).provider
}
