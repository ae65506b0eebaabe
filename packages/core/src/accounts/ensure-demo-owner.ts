import { newId } from '../base/new-id.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Creates the account that demo visitors are signed in to. It has no password and works only while
 * the service runs as a demo.
 */
export async function ensureDemoOwner({ prisma }: Pick<Database, 'prisma'>): Promise<{ userId: string }> {
  await prisma.$executeRaw`
    INSERT INTO users (id, name, email, is_operator, is_demo)
    VALUES (${newId('usr')}, 'Demo owner', 'demo@corrigenda.invalid', true, true) ON CONFLICT DO NOTHING`
  const { id } = await prisma.user.findFirstOrThrow({ where: { isDemo: true }, select: { id: true } })
  return { userId: id }
}
