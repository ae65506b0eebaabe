import { createHmac } from 'node:crypto'

/**
 * Returns the HMAC-SHA-256 of the secret with the pepper as the key. A fast hash is sufficient for
 * 190 random bits. The pepper prevents guesses from being verified against a leaked database.
 */
export function hashSecret(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}
