import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const FORMAT = 'scrypt1'
const BYTES = 16
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }

/**
 * Hashes of secrets by their fingerprints, so that a process computes a fingerprint only once.
 * `serve` opens the instance for the API and for the worker.
 */
const computed = new Map<string, Buffer>()
const toHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * Returns a fingerprint of a secret for the database. It is slow to compute and salted, so that a
 * stolen database does not allow fast guesses of a weak secret.
 */
export async function toFingerprint(secret: string, salt: Buffer = randomBytes(BYTES)): Promise<string> {
  const bytes = (await promisify<string, Buffer, number, object, Buffer>(scrypt)(secret, salt, BYTES, COST)) as Buffer
  const fingerprint = `${FORMAT}:${salt.toString('hex')}:${bytes.toString('hex')}`
  computed.set(fingerprint, toHash(secret))
  return fingerprint
}

/** Returns true if a stored fingerprint belongs to the secret. */
export async function matchesFingerprint(secret: string, stored: string): Promise<boolean> {
  const known = computed.get(stored)
  if (known) return timingSafeEqual(known, toHash(secret))
  const [, salt = ''] = stored.split(':')
  const own = await toFingerprint(secret, Buffer.from(salt, 'hex'))
  const [given, expected] = [Buffer.from(own), Buffer.from(stored)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
