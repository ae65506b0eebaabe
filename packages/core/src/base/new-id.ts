import { randomBytes } from 'node:crypto'

// Crockford's base32 alphabet sorts in numeric order and omits ambiguous letters.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns a unique id that sorts by time: `<prefix>_` + 48 bits of milliseconds + 80 random bits
 * (26 characters, as in ULID).
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i += 1, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let random = ''
  for (const byte of randomBytes(16)) random += ALPHABET[byte % 32]
  return `${prefix}_${time}${random}`
}
