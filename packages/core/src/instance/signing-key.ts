import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { sealSecret, unsealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'

export const SIGNING_KEY_CONTEXT = 'instance:signing-key'

/** The Ed25519 key that signs the commits of all projects. */
export interface SigningKey {
  /** PKCS #8, in PEM format. */
  readonly privateKey: string
  /** In the format of `authorized_keys`: `ssh-ed25519 AAAA… corrigenda`. */
  readonly publicKey: string
}

type SigningDeps = PrismaDeps & { readonly credentialKey: SealingKey }

/** Returns the key that signs commits; null if commits are not signed. */
export async function findSigningKey({ prisma, credentialKey }: SigningDeps): Promise<SigningKey | null> {
  const instance = await prisma.instance.findUnique({ where: { id: 1 }, select: { sealedSigningKey: true } })
  if (!instance?.sealedSigningKey) return null
  return toSigningKey(unsealSecret(credentialKey, SIGNING_KEY_CONTEXT, instance.sealedSigningKey))
}

/**
 * Returns the key that signs commits. Creates it if there is none. Workers sign the commits of runs
 * that finish from then on.
 */
export async function ensureSigningKey({
  prisma,
  credentialKey,
  audit,
}: SigningDeps & AuditedDeps): Promise<SigningKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const created = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await prisma.$transaction(async (tx) => {
    const sealed = sealSecret(await toActiveKey(tx, credentialKey), SIGNING_KEY_CONTEXT, created)
    const where = { id: 1, sealedSigningKey: null }
    const { count } = await tx.instance.updateMany({ where, data: { sealedSigningKey: sealed } })
    if (count > 0) await recordAuditEvent(tx, audit, { action: 'signing_key.created' })
  })
  const key = await findSigningKey({ prisma, credentialKey })
  if (key === null) throw new Error('the signing key was removed while it was created')
  return key
}

/** Deletes the key. Commits are no longer signed. Returns false if there was none. */
export async function removeSigningKey({ prisma, audit }: AuditedDeps): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const { count } = await tx.instance.updateMany({
      where: { id: 1, sealedSigningKey: { not: null } },
      data: { sealedSigningKey: null },
    })
    if (count > 0) await recordAuditEvent(tx, audit, { action: 'signing_key.deleted' })
    return count > 0
  })
}

function toSigningKey(privateKey: string): SigningKey {
  const { x = '' } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' })
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(x, 'base64url')]
  const blob = Buffer.concat(parts.flatMap((part) => [toLength(part), part]))
  return { privateKey, publicKey: `ssh-ed25519 ${blob.toString('base64')} corrigenda` }
}

function toLength({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}
