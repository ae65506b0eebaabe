import type { PrismaDeps } from '../db/open-database.ts'

/**
 * Lists the keys of one project (or all projects if `projectId` is null), newest first, without
 * secrets.
 */
export function listKeys({ prisma }: PrismaDeps, projectId: string | null) {
  return prisma.apiKey.findMany({
    where: projectId === null ? {} : { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    omit: { secretHash: true },
  })
}

/** Returns the ids of the given keys that are not revoked, expired or deleted. */
export async function listLiveKeys({ prisma }: PrismaDeps, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await prisma.apiKey.findMany({
    where: { id: { in: [...keyIds] }, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    select: { id: true },
  })
  return new Set(rows.map((row) => row.id))
}
