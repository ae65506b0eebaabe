import { createPrivateKey, type KeyObject } from 'node:crypto'

const PEM = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END \1-----/

/**
 * Returns the private key of a GitHub App as PKCS#8 PEM. Accepts the forms found in environment
 * variables: real line breaks, `\n` as two characters, line breaks turned into spaces, the whole
 * file in base64, surrounding quotes; PKCS#1 (GitHub's download format) or PKCS#8. Returns null for
 * anything but an unencrypted RSA key.
 */
export function findAppKey(text: string): string | null {
  const unquoted = text.trim().replace(/^(['"])([\s\S]*)\1$/, '$2')
  const pem = unquoted.includes('-----BEGIN') ? unquoted : Buffer.from(unquoted, 'base64').toString('latin1')
  const [, label, body] = PEM.exec(pem.replace(/\\r/g, '').replace(/\\n/g, '\n')) ?? []
  if (label === undefined || body === undefined) return null
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  const key = findKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`)
  return key?.asymmetricKeyType === 'rsa' ? key.export({ type: 'pkcs8', format: 'pem' }).toString() : null
}

function findKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}
