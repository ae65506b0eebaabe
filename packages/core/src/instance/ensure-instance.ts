import type { Database } from '../db/open-database.ts'

export const OTHER_SECRET =
  'CORRIGENDA_SECRET differs from the secret that this database was created with, so no API key would work. Set the original secret or use a different database.'

/**
 * Binds the database to the configured secret on the first start and rejects any other secret
 * afterwards. With a different secret, no API key could be verified, and the cause would be hard to
 * find.
 * @throws Error whose message explains how to fix the problem
 */
export async function ensureInstance({ prisma }: Pick<Database, 'prisma'>, fingerprint: string): Promise<void> {
  const instance = await prisma.instance.upsert({
    where: { id: 1 },
    create: { id: 1, secretFingerprint: fingerprint },
    update: {},
  })
  if (instance.secretFingerprint !== fingerprint) throw new Error(OTHER_SECRET)
}

/**
 * Checks the configured secret against the database without writing anything. Returns `unbound` if
 * no process has used the database yet.
 */
export async function checkInstance(
  { prisma }: Pick<Database, 'prisma'>,
  fingerprint: string,
): Promise<'fits' | 'unbound' | 'other'> {
  const instance = await prisma.instance.findUnique({ where: { id: 1 } })
  if (!instance) return 'unbound'
  return instance.secretFingerprint === fingerprint ? 'fits' : 'other'
}
