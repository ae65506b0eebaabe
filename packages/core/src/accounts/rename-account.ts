import type { Database } from '../db/open-database.ts'

/** @param input.name trimmed, 1 to 100 characters */
export async function renameAccount(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; name: string },
): Promise<void> {
  await prisma.user.update({ where: { id: input.userId }, data: { name: input.name } })
}
