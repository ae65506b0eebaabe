import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { sealSecret, unsealSecret } from '../sealing/seal-secret.ts'
import { toFingerprint } from './fingerprint.ts'
import { findActive, KEY_PEPPER_CONTEXT, OTHER_SECRET } from './open-instance.ts'
import { deriveSecrets } from './secret.ts'

/**
 * Makes the new secret the one that the database uses. Waits for open transactions that store a
 * value sealed with the previous secret. Does nothing if the new secret is already in use.
 * @throws Error if the database uses neither secret
 */
export async function activateSecret(
  { prisma, audit }: AuditedDeps,
  { secret, previousSecret }: { readonly secret: string; readonly previousSecret: string },
): Promise<void> {
  const secretFingerprint = await toFingerprint(secret)
  await prisma.$transaction(
    async (tx) => {
      const [row] = await tx.$queryRaw<{ fingerprint: string; sealed: Uint8Array | null }[]>`
        SELECT secret_fingerprint AS fingerprint, sealed_key_pepper AS sealed FROM instance WHERE id = 1 FOR UPDATE`
      const active = row && (await findActive({ secret, previousSecret }, row.fingerprint))
      if (!row || !active) throw new Error(OTHER_SECRET)
      if (active === 'current') return
      const [current, previous] = [deriveSecrets(secret), deriveSecrets(previousSecret)]
      const pepper = row.sealed
        ? unsealSecret(previous.instanceKey, KEY_PEPPER_CONTEXT, row.sealed)
        : previous.keyPepper.toString('base64')
      const sealedKeyPepper = sealSecret(current.instanceKey, KEY_PEPPER_CONTEXT, pepper)
      await tx.instance.update({ where: { id: 1 }, data: { secretFingerprint, sealedKeyPepper } })
      await recordAuditEvent(tx, audit, { action: 'secret.rotated' })
    },
    { timeout: 60_000 },
  )
}
