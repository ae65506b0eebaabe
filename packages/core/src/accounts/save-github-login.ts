import type { Database } from '../db/open-database.ts'

/** Stores the login of a linked GitHub account, which its owner can change. */
export async function saveGithubLogin(
  { prisma }: Pick<Database, 'prisma'>,
  { accountId, login }: { accountId: string; login: string },
): Promise<void> {
  await prisma.account.updateMany({ where: { providerId: 'github', accountId }, data: { login } })
}
