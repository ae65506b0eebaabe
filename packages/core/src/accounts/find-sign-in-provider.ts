import type { Database } from '../db/open-database.ts'

/**
 * Returns the identity provider of a sign-in in progress.
 * @param state the OAuth `state` parameter
 * @returns null when the state is unknown; undefined when it does not name a provider
 */
export async function findSignInProvider(
  { prisma }: Pick<Database, 'prisma'>,
  state: string,
): Promise<string | undefined | null> {
  const row = await prisma.verification.findFirst({ where: { identifier: `auth-state:${state}` } })
  return row && (JSON.parse(row.value) as { provider?: string }).provider
}
