import type { Db } from '../db/open-database.ts'

/** Is there an operator whom somebody can sign in as? The demo's own does not count: it ends with the demo. */
export async function isSetUp({ prisma }: { prisma: Db }): Promise<boolean> {
  return (await prisma.user.findFirst({ where: { isOperator: true, isDemo: false }, select: { id: true } })) !== null
}
