import { hkdfSync } from 'node:crypto'

/** Keys for separate purposes, all derived from the one configured secret (HKDF-SHA-256), so that none reveals another. */
export interface DerivedSecrets {
  /** Pepper under which API keys are hashed. */
  readonly keyPepper: Buffer
  /** Key under which the signing secrets of webhooks are kept (AES-256). */
  readonly webhookKey: Buffer
  /** What people's sessions, invitations and the first account hang on. */
  readonly peopleKey: Buffer
  /** Key under which credentials for the Git host are kept (AES-256). */
  readonly credentialKey: Buffer
  /** Key under which deploy targets are kept (AES-256). */
  readonly deployTargetKey: Buffer
  /** What the database remembers of the secret, to refuse another one later. */
  readonly fingerprint: string
}

/** @param secret the configured `CORRIGENDA_SECRET`, at least 32 characters */
export function deriveSecrets(secret: string): DerivedSecrets {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'corrigenda', purpose, bytes))
  return {
    keyPepper: derive('api-key-pepper-1', 32),
    webhookKey: derive('webhook-secrets-1', 32),
    peopleKey: derive('people-1', 32),
    credentialKey: derive('git-credentials-1', 32),
    deployTargetKey: derive('deploy-targets-1', 32),
    fingerprint: derive('fingerprint', 16).toString('hex'),
  }
}
