import { hkdfSync } from 'node:crypto'

/**
 * Keys for separate purposes, all derived from the configured secret (HKDF-SHA-256), so that none
 * reveals another.
 */
export interface DerivedSecrets {
  /** Pepper for the hashes of API keys. */
  readonly keyPepper: Buffer
  /** Key that encrypts the signing secrets of webhooks (AES-256). */
  readonly webhookKey: Buffer
  /** Key for users' sessions, invitations and the first account. */
  readonly authKey: Buffer
  /** Key that encrypts credentials for the Git host (AES-256). */
  readonly credentialKey: Buffer
  /** Key that encrypts deploy targets (AES-256). */
  readonly deployTargetKey: Buffer
  /** Fingerprint of the secret, stored in the database to reject another secret later. */
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
