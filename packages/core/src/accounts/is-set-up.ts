import type { Db } from '../db/open-database.ts'

/**
 * Returns true if an admin account exists. The demo account does not count, because it works only
 * in the demo.
 */
export async function isSetUp({ prisma }: { prisma: Db }): Promise<boolean> {
  return (await prisma.user.findFirst({ where: { isAdmin: true, isDemo: false }, select: { id: true } })) !== null
}
