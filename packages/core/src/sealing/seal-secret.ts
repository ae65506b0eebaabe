import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret for the database: version, nonce, AES-256-GCM ciphertext, tag.
 * @param key 32 bytes, derived from the service's secret for this kind of secret only
 * @param rowId id of the endpoint or project to which the secret is bound. It cannot be decrypted
 * in another row.
 */
export function sealSecret(key: Buffer, rowId: string, secret: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(rowId))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, text, cipher.getAuthTag()])
}

/** @throws Error when it was sealed under another key or for another row, or was modified */
export function unsealSecret(key: Buffer, rowId: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== VERSION || bytes.length <= 1 + NONCE_BYTES + TAG_BYTES) {
    throw new Error('The stored secret has an unknown format. Set it again.')
  }
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(rowId)).setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    throw new Error('The stored secret cannot be decrypted with this CORRIGENDA_SECRET. Set it again.')
  }
}

/**
 * Creates a signing secret in the format of Standard Webhooks: `whsec_` and base64 of 32 random
 * bytes.
 */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
