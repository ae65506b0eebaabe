import { hashSecret } from '../keys/hash-secret.ts'
import type { AccountDeps } from './get-setup-token.ts'

/** What a link with a token is for. A token for one purpose is not valid for the other. */
export type TokenPurpose = 'invitation' | 'sign-in-link'

/** Returns the hashes under which a token may be stored. */
export const toTokenHashes = (
  { authKey, otherAuthKey }: AccountDeps,
  purpose: TokenPurpose,
  token: string,
): Uint8Array<ArrayBuffer>[] =>
  [authKey, ...(otherAuthKey ? [otherAuthKey] : [])].map((key) => toTokenHash(key, purpose, token))

/** Returns a token's hash, which is stored instead of the token. */
export const toTokenHash = (key: Buffer, purpose: TokenPurpose, token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hashSecret(key, `${purpose}:${token}`))
