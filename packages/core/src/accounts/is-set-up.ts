import type { Db } from '../db/open-database.ts'

/**
 * Returns true when there is an admin account that a user can sign in to. The demo's admin does not
 * count, because it ends with the demo.
 */
export async function isSetUp({ prisma }: { prisma: Db }): Promise<boolean> {
  return (await prisma.user.findFirst({ where: { isAdmin: true, isDemo: false }, select: { id: true } })) !== null
}
