import type { PrismaDeps } from '../db/open-database.ts'
import { hashSecret } from '../keys/hash-secret.ts'

export interface AccountDeps extends PrismaDeps {
  /** Derived from the service secret for setup tokens, invitation hashes and similar values. */
  readonly authKey: Buffer
  /** Second key that invitation hashes may have been made with, during a rotation of the secret. */
  readonly otherAuthKey?: Buffer | null
}

/** What a link with a token is for. A token for one purpose is not valid for the other. */
type TokenPurpose = 'invitation' | 'sign-in-link'

/** Returns a token's hash, which is stored instead of the token. */
export const toTokenHash = (key: Buffer, purpose: TokenPurpose, token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hashSecret(key, `${purpose}:${token}`))

/** Returns the hashes under which a token may be stored. */
export const toTokenHashes = (
  { authKey, otherAuthKey }: AccountDeps,
  purpose: TokenPurpose,
  token: string,
): Uint8Array<ArrayBuffer>[] =>
  [authKey, ...(otherAuthKey ? [otherAuthKey] : [])].map((key) => toTokenHash(key, purpose, token))
