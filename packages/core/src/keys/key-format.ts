import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_PATTERN } from '@corrigenda/contracts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The parts of a well-formed key with a valid checksum. */
interface ParsedKey {
  readonly id: string
  readonly secret: string
}

/**
 * Creates a key: `cgd_<12 base62 id>_<32 base62 secret, 190 bits><6 base62 CRC-32>`. The checksum
 * covers everything before it.
 */
export function buildKey(): ParsedKey & { readonly key: string } {
  const id = randomBase62(12)
  const secret = randomBase62(32)
  return { id, secret, key: toKey({ id, secret }) }
}

/** Builds a key from its parts and appends the checksum. */
export const toKey = ({ id, secret }: ParsedKey): string => `cgd_${id}_${secret}${checksum(`cgd_${id}_${secret}`)}`

/**
 * Parses a key, or returns null when its format or checksum is wrong. Does not query the database,
 * so malformed keys are rejected cheaply.
 */
export function findKeyParts(key: string): ParsedKey | null {
  const [, id, secret, sum] = KEY_PATTERN.exec(key) ?? []
  if (id === undefined || secret === undefined || sum !== checksum(`cgd_${id}_${secret}`)) return null
  return { id, secret }
}

function checksum(text: string): string {
  let out = ''
  for (let rest = crc32(text), i = 0; i < 6; i += 1, rest = Math.floor(rest / 62)) out = BASE62[rest % 62] + out
  return out
}

function randomBase62(length: number): string {
  let out = ''
  for (let i = 0; i < length; i += 1) out += BASE62[randomInt(62)]
  return out
}
