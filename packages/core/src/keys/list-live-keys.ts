import type { Database } from '../db/open-database.ts'

/** Returns the ids of the given keys that are not revoked, expired or deleted. */
export async function listLiveKeys(
  { prisma }: Pick<Database, 'prisma'>,
  keyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await prisma.apiKey.findMany({
    where: { id: { in: [...keyIds] }, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    select: { id: true },
  })
  return new Set(rows.map((row) => row.id))
}
