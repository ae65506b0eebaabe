import type { PrismaDeps } from '../db/open-database.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { matchesFingerprint, toFingerprint } from './fingerprint.ts'
import { deriveSecrets } from './secret.ts'

export const OTHER_SECRET =
  'CORRIGENDA_SECRET differs from the secret that this database uses, so no API key would work. Set that secret or use a different database. To replace the secret, set CORRIGENDA_SECRET_PREVIOUS to the old one.'

export interface SecretSettings {
  /** `CORRIGENDA_SECRET`. */
  readonly secret: string
  /** `CORRIGENDA_SECRET_PREVIOUS`, during a rotation only. */
  readonly previousSecret: string | null
}

/** The keys of a process. */
export interface InstanceSecrets {
  /** Pepper for API key hashes. */
  readonly keyPepper: Buffer
  /** Encrypts webhook signing secrets. */
  readonly webhookKey: SealingKey
  /** Encrypts credentials for the Git host. */
  readonly credentialKey: SealingKey
  /** Encrypts deploy targets. */
  readonly deployTargetKey: SealingKey
  /** Signs sessions and hashes invitations. */
  readonly authKey: Buffer
  /** Also accepted during a rotation. */
  readonly otherAuthKey: Buffer | null
  /**
   * Fingerprint in the database as long as the previous secret is the active one. Null if the new
   * secret is active. See `watchActivation`.
   */
  readonly previousFingerprint: string | null
}

export const KEY_PEPPER_CONTEXT = 'instance:key-pepper'

/**
 * Binds the database to the configured secret on the first start, and rejects any other secret
 * afterwards. With a different secret, no API key could be verified, and the cause would be hard to
 * find. During a rotation, the previous secret may be the one that the database uses.
 * @throws Error whose message explains how to fix the problem
 */
export async function openInstance(
  { prisma }: PrismaDeps,
  { secret, previousSecret }: SecretSettings,
): Promise<InstanceSecrets> {
  const found = await prisma.instance.findUnique({ where: { id: 1 } })
  const expected = found?.secretFingerprint ?? (await toFingerprint(secret))
  // Not an upsert, which fails if another process inserts the row at the same time.
  if (!found) await prisma.instance.createMany({ data: { id: 1, secretFingerprint: expected }, skipDuplicates: true })
  const instance = found ?? (await prisma.instance.findUniqueOrThrow({ where: { id: 1 } }))
  const { secretFingerprint, sealedKeyPepper } = instance
  // A fingerprint that this call has stored belongs to the secret.
  const isNew = found === null && secretFingerprint === expected
  const active = isNew ? 'current' : await findActive({ secret, previousSecret }, secretFingerprint)
  if (active === null) throw new Error(OTHER_SECRET)
  const current = deriveSecrets(secret)
  const previous = previousSecret === null ? null : deriveSecrets(previousSecret)
  const fingerprintOfPrevious = active === 'previous' ? secretFingerprint : null
  const [own, other] = active === 'previous' && previous ? [previous, current] : [current, previous]
  const instanceKey = toKey(current.instanceKey, previous?.instanceKey)
  return {
    ...toSealingKeys({ secret, previousSecret }, fingerprintOfPrevious),
    // Outlives a rotation, because API key hashes cannot be computed again without the keys.
    keyPepper: sealedKeyPepper
      ? Buffer.from(unsealSecret(instanceKey, KEY_PEPPER_CONTEXT, sealedKeyPepper), 'base64')
      : own.keyPepper,
    authKey: own.authKey,
    otherAuthKey: other?.authKey ?? null,
    previousFingerprint: fingerprintOfPrevious,
  }
}

/** The keys that encrypt stored secrets, per kind. */
export type SealingKeys = Pick<InstanceSecrets, 'webhookKey' | 'credentialKey' | 'deployTargetKey'>

/**
 * Returns the keys that decrypt stored secrets.
 * @param fingerprintOfPrevious see `RotatingKey`. Required in processes that store secrets, which
 *   get their keys from `openInstance`.
 */
export function toSealingKeys(
  { secret, previousSecret }: SecretSettings,
  fingerprintOfPrevious: string | null = null,
): SealingKeys {
  const current = deriveSecrets(secret)
  const previous = previousSecret === null ? null : deriveSecrets(previousSecret)
  return {
    webhookKey: toKey(current.webhookKey, previous?.webhookKey, fingerprintOfPrevious),
    credentialKey: toKey(current.credentialKey, previous?.credentialKey, fingerprintOfPrevious),
    deployTargetKey: toKey(current.deployTargetKey, previous?.deployTargetKey, fingerprintOfPrevious),
  }
}

const toKey = (current: Buffer, previous?: Buffer, previousFingerprint: string | null = null): SealingKey =>
  previous === undefined ? current : { current, previous, previousFingerprint }

/**
 * Checks the configured secrets against the database without writing anything. Returns `unbound` if
 * no process has used the database yet, and `previous` if it still uses the previous secret.
 */
export async function checkInstance(
  { prisma }: PrismaDeps,
  settings: SecretSettings,
): Promise<'fits' | 'previous' | 'unbound' | 'other'> {
  const instance = await prisma.instance.findUnique({ where: { id: 1 } })
  if (!instance) return 'unbound'
  const active = await findActive(settings, instance.secretFingerprint)
  return active === 'current' ? 'fits' : (active ?? 'other')
}

/** Returns which of the configured secrets a stored fingerprint belongs to. */
export async function findActive(
  { secret, previousSecret }: SecretSettings,
  fingerprint: string,
): Promise<'current' | 'previous' | null> {
  if (await matchesFingerprint(secret, fingerprint)) return 'current'
  if (previousSecret !== null && (await matchesFingerprint(previousSecret, fingerprint))) return 'previous'
  return null
}
