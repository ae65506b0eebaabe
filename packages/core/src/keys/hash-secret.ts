import { createHmac } from 'node:crypto'

/** HMAC-SHA-256 under the pepper. A fast hash is right for 190 random bits; the pepper keeps a leaked database from verifying guesses. */
export function hashSecret(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}
