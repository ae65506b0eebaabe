import { hkdfSync } from 'node:crypto'

/**
 * Keys derived from the configured secret (HKDF-SHA-256), one per purpose, so that no key reveals
 * another.
 */
interface DerivedSecrets {
  /** Pepper for API key hashes. */
  readonly keyPepper: Buffer
  /** Key that encrypts webhook signing secrets (AES-256). */
  readonly webhookKey: Buffer
  /** Key for users' sessions, invitations and the first account. */
  readonly authKey: Buffer
  /** Key that encrypts credentials for the Git host (AES-256). */
  readonly credentialKey: Buffer
  /** Key that encrypts deploy targets (AES-256). */
  readonly deployTargetKey: Buffer
  /** Key that encrypts keys of the instance itself (AES-256). */
  readonly instanceKey: Buffer
  /** Key that authenticates backups (HMAC-SHA-256). */
  readonly backupKey: Buffer
}

/** @param secret the configured `CORRIGENDA_SECRET`, at least 32 characters */
export function deriveSecrets(secret: string): DerivedSecrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'corrigenda', purpose, 32))
  return {
    keyPepper: derive('api-key-pepper-1'),
    webhookKey: derive('webhook-secrets-1'),
    authKey: derive('people-1'),
    credentialKey: derive('git-credentials-1'),
    deployTargetKey: derive('deploy-targets-1'),
    instanceKey: derive('instance-keys-1'),
    backupKey: derive('backups-1'),
  }
}

const MIN_DISTINCT_CHARACTERS = 10

/**
 * Returns true if a secret is probably not random: at least 32 random hexadecimal characters have
 * fewer than 10 different ones in about one of 10,000 cases.
 */
export const isWeakSecret = (secret: string): boolean =>
  secret.length < 32 || new Set(secret).size < MIN_DISTINCT_CHARACTERS
