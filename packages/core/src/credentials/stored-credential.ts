import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'

/** A decrypted credential for a project's repository. */
export type StoredCredential =
  | {
      readonly kind: 'token'
      readonly token: string
      /** `host[:port]` of the project's repository when the token was saved. */
      readonly host: string
    }
  | {
      readonly kind: 'app'
      readonly appId: string
      readonly privateKey: string
      /** `host[:port]` of the Git host where the App is registered. */
      readonly host: string
    }

/**
 * Thrown when a stored secret cannot be decrypted because it was sealed under a different service
 * secret or modified.
 */
export class SealedCredentialError extends Error {
  constructor(readonly what: 'token' | 'app') {
    super('A stored credential cannot be decrypted.')
    this.name = 'SealedCredentialError'
  }
}

/** @throws SealedCredentialError */
export function unsealCredential(
  key: SealingKey,
  { what, context, sealed }: { what: 'token' | 'app'; context: string; sealed: Uint8Array },
): string {
  try {
    return unsealSecret(key, context, sealed)
  } catch {
    throw new SealedCredentialError(what)
  }
}
