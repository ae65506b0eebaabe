import { randomFillSync } from 'node:crypto'

// Crockford's base32 alphabet sorts in numeric order and omits ambiguous letters.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const RANDOM_BYTES = 16
// Random bytes for many ids, because a call of the generator costs more than the bytes.
const pool = Buffer.alloc(RANDOM_BYTES * 256)
let used = pool.length

/**
 * Returns a unique id that sorts by time: `<prefix>_` + 48 bits of milliseconds + 80 random bits
 * (26 characters, as in ULID).
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i += 1, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let random = ''
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  for (const end = used + RANDOM_BYTES; used < end; used += 1) random += ALPHABET[(pool[used] ?? 0) % 32]
  return `${prefix}_${time}${random}`
}
