import type { Database } from '../db/open-database.ts'

/**
 * Revokes a key. The next request that uses it is rejected. Idempotent.
 * @throws Error when the key does not exist
 */
export async function revokeKey(
  { prisma }: Pick<Database, 'prisma'>,
  id: string,
): Promise<{ id: string; revokedAt: Date }> {
  await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } })
  const row = await prisma.apiKey.findUnique({ where: { id }, select: { revokedAt: true } })
  if (!row?.revokedAt) throw new Error(`There is no key ${id}. List the keys with "corrigenda key list".`)
  return { id, revokedAt: row.revokedAt }
}
