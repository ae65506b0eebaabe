import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { listKeys, type SealingKey } from './sealing-key.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret for the database. Returns the concatenated version, nonce, AES-256-GCM
 * ciphertext and tag.
 * @param key 32 bytes, derived from the service secret for this kind of secret only
 * @param rowId identifies the row that the secret is bound to, for example an endpoint id. The
 * secret cannot be decrypted in a different row.
 */
export function sealSecret(key: Buffer, rowId: string, secret: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(rowId))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, text, cipher.getAuthTag()])
}

/** @throws Error when the secret was sealed with a different key or row id, or was modified */
export function unsealSecret(key: SealingKey, rowId: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== VERSION || bytes.length <= 1 + NONCE_BYTES + TAG_BYTES) {
    throw new Error('The stored secret has an unknown format. Set it again.')
  }
  for (const one of listKeys(key)) {
    const text = tryKey(one, rowId, bytes)
    if (text !== null) return text
  }
  throw new Error('The stored secret cannot be decrypted with this CORRIGENDA_SECRET. Set it again.')
}

function tryKey(key: Buffer, rowId: string, bytes: Buffer): string | null {
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(rowId)).setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/**
 * Creates a signing secret in the Standard Webhooks format, `whsec_` followed by 32 random bytes in
 * base64.
 */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
