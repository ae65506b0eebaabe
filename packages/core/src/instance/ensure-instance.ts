import type { Database } from '../db/open-database.ts'

export const OTHER_SECRET =
  'CORRIGENDA_SECRET is not the one this database was made with, so no API key would work. Set the original secret, or use another database.'

/**
 * Binds the database to the configured secret on the first start, and refuses any other secret afterwards: with another one no key could
 * ever be verified, and the reason would be hard to find.
 * @throws Error that says how to mend it
 */
export async function ensureInstance({ prisma }: Pick<Database, 'prisma'>, fingerprint: string): Promise<void> {
  const instance = await prisma.instance.upsert({
    where: { id: 1 },
    create: { id: 1, secretFingerprint: fingerprint },
    update: {},
  })
  if (instance.secretFingerprint !== fingerprint) throw new Error(OTHER_SECRET)
}

/** How the configured secret and this database stand to each other; `unbound`: nothing has started on it yet. Writes nothing. */
export async function checkInstance(
  { prisma }: Pick<Database, 'prisma'>,
  fingerprint: string,
): Promise<'fits' | 'unbound' | 'other'> {
  const instance = await prisma.instance.findUnique({ where: { id: 1 } })
  if (!instance) return 'unbound'
  return instance.secretFingerprint === fingerprint ? 'fits' : 'other'
}
