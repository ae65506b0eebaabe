import { hkdfSync } from 'node:crypto'

/**
 * Keys derived from the configured secret (HKDF-SHA-256), one per purpose, so that no key reveals
 * another.
 */
export interface DerivedSecrets {
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
  /**
   * Fingerprint of the secret, stored in the database so that a different secret can be rejected.
   */
  readonly fingerprint: string
}

/** @param secret the configured `CORRIGENDA_SECRET`, at least 32 characters */
export function deriveSecrets(secret: string): DerivedSecrets {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'corrigenda', purpose, bytes))
  return {
    keyPepper: derive('api-key-pepper-1', 32),
    webhookKey: derive('webhook-secrets-1', 32),
    authKey: derive('people-1', 32),
    credentialKey: derive('git-credentials-1', 32),
    deployTargetKey: derive('deploy-targets-1', 32),
    fingerprint: derive('fingerprint', 16).toString('hex'),
  }
}
