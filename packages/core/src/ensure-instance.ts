import type { Database } from './db/open-database.ts'

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
  if (instance.secretFingerprint !== fingerprint) {
    throw new Error(
      'CORRIGENDA_SECRET is not the one this database was made with, so no API key would work. Set the original secret, or use another database.',
    )
  }
}
